"""Files for other programs: index artefacts (seed 002) and the nodes that a question found (seed 000)."""
