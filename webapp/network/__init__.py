"""Where the page is served, how phones find it, and how they hear of what changed."""
