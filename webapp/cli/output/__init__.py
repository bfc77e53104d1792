"""What the command line prints, and the photos and pages that it works with."""
