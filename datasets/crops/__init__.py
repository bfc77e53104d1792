"""Crops and windows to train the classifier and the readers on."""
