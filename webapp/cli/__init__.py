"""One module for each `kongbox` command."""
