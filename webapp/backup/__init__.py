"""Copies: by command, by themselves, as an archive; restoring from any; hourly housekeeping."""
