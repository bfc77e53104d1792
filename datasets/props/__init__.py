"""The camera, painting, and the things that lie about on a table."""
