"""Photo files made to do harm, and what each costs the process that reads it."""
