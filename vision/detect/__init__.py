"""Where the tiles are: search, verify, correct corners, and look where a row goes on."""
