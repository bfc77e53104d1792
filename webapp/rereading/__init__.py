"""Photos that were read before: read again, compared with corrections, or given away."""
