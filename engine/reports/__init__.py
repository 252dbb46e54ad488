"""Reports over many documents: an outline, then section by section with evidence of its own, and a summary."""
