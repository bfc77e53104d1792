"""The languages of the page and the words of the table."""
