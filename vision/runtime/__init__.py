"""Native libraries and the files of the shipped models; nothing here knows a tile."""
