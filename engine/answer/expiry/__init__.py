"""When something with a term ends, computed from a start and a length."""
