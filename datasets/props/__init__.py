"""The camera, painting, and the things on a table besides tiles."""
