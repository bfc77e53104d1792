"""The deal on the table as people enter it; no request of Flask in here."""
