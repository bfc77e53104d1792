"""Who may do what, what protects the page, and how errors are answered and logged."""
