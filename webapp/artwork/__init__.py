"""Drawing the tiles: ``python -m webapp.artwork`` writes ``webapp/static/tiles/*.svg`` again.

Circles, bamboo, flowers, seasons and the bird are geometry of the project. The Chinese characters
and the corner indices are outlines taken from Noto Serif CJK and Noto Sans CJK (SIL Open Font
License 1.1), so that no font is needed where the page is shown.
"""
