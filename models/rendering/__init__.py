"""Pictures of dice with their ground truth: a ray tracer, Blender, and dice cut out of photographs."""
