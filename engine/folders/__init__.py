"""Folders of files: what lies in them, and a library that is kept in step with them."""
