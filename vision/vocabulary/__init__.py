"""The nouns that every stage speaks: detections, labels, readings, melds, copies, log-odds."""
