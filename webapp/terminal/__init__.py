"""What the command line prints and takes in."""
