"""How exported files are named."""

import hashlib

LONGEST = 200  # bytes; with what is put behind it a name stays within what file systems allow


def doc_id_of(name: str) -> str:
    """Return the ``doc_id`` of a document: its name without ".pdf", fit to be a file's name."""
    plain = name[:-4] if name.lower().endswith(".pdf") else name
    plain = plain.replace("/", "_").replace("\\", "_")
    plain = plain.encode()[:LONGEST].decode(errors="ignore").strip()
    return f"_{plain}" if not plain or plain.startswith(".") else plain


def question_hash(question: str) -> str:
    """Return the first 8 hex digits of the MD5 of a question in UTF-8 (seed 000)."""
    return hashlib.md5(question.encode(), usedforsecurity=False).hexdigest()[:8]
