"""Where the page is served, and how phones in the same network find it."""
