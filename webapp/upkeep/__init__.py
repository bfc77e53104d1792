"""Backup, archive, restore and the hourly housekeeping."""
