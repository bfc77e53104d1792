"""Backup, the archive of everything, restoring from either, and hourly housekeeping."""
