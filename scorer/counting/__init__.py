"""One hand and its payments: every arrangement, its lines, and what is paid."""
