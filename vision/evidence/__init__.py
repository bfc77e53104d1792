"""All detections of one photo weighed together: tile or not, face or back, alike or not."""
