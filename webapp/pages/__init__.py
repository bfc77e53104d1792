"""The views of the page, in one folder for each group of pages."""
