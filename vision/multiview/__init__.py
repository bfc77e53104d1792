"""Several pictures of the same tiles: photos, frames of a film, cameras."""
