"""What Kongbox is made of: the bill of materials in its wheel, and the audit of what is locked."""
