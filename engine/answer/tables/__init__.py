"""Answering from tables: typed cells, the operators that compute over them, and a planner without a model."""
