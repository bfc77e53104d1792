"""The ``kongbox`` command line: the command itself, serving, and rooms of other commands."""
