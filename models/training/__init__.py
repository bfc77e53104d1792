"""One module for each network and one training loop: `python -m models.training`."""
