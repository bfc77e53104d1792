"""What the machines of an association share: signals, counts, live updates and files of clubs."""
