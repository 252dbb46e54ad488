"""The agent: a loop that searches, reads, computes and checks until it can answer (seed 003, chapter 6)."""
