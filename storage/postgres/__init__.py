"""The backend that grows: everything but the original files in PostgreSQL, which any number of processes share."""

from storage.postgres.address import where
from storage.postgres.store import PostgresStorage

__all__ = ["PostgresStorage", "open_storage", "where"]

open_storage = PostgresStorage
