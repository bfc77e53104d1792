"""Builds planned scenes in Blender and renders them; every module here needs ``bpy``."""
