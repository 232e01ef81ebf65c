"""Synthetic pictures of dice with ground truth: a ray tracer, Blender, and dice cut out of photographs."""
