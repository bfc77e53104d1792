"""What a club decides once for all its evenings: kept, told in words, and who decided it."""
