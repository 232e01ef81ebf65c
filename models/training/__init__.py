"""Trains the detector and the classifier, and exports them."""
