"""From an upload through the reading processes to tiles in the deal and their joint decision."""
