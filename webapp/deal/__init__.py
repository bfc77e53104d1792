"""The deal on the table as people enter it, independent of the requests it is entered by."""
