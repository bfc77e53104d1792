"""Path-traced photographs of lawful mahjong deals, with every corner and the true hands known.

The plan of a scene follows from its number alone and needs no renderer; only
:mod:`datasets.pathtraced.blender` imports Blender's ``bpy``.
"""
