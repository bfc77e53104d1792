"""Pictures of tiles with their truth: drawn, rendered and photographed, for training and tests."""
