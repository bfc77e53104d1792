"""Rules to read, to change and to practise."""
