"""Evidence held against a question: what is read in it, how sure it is, and what of it is quoted."""
