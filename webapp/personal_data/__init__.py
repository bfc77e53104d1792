"""What is kept of a person: joined, handed out, limited in time and erased."""
