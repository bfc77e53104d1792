"""The computer underneath: its clock, folders and system, and files that nobody vouches for."""
