"""Pictures of small tensors as SVG, without anything that draws."""
