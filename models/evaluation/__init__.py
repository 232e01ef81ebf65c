"""Evaluation of the nets on photographs and rendered pictures; writes the model card."""
