"""Photos that were read before: read anew, held against what people put right, or given away."""
