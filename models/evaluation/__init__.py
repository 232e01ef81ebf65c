"""Measures the nets on photographs and rendered pictures, and writes the model card."""
