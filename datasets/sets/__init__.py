"""Where tile faces come from: drawn, photographed, and other people's games."""
