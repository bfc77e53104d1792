"""What is printed or kept as a file: score sheets, the leader board, an evening on one page."""
