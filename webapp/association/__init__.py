"""An association's server: many clubs, each with an application and a database of its own."""
