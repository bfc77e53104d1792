"""The routes of the page, one group of pages in each folder."""
