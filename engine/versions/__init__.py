"""Versions of a document: what differs between two of them, questions about them, restoring and deleting."""
