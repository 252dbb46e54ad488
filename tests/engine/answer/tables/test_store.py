"""Relations in DuckDB: nothing outside is reached, limits hold, and relations do not mix."""

import pytest
from read_tables import ORDERS, SHIPS, relation_of

from engine.answer.tables.store import QueryFailedError, RelationStore


@pytest.fixture
def ships(tmp_path):
    return relation_of(tmp_path, SHIPS)


def test_a_relation_is_a_table_of_texts_numbers_and_dates(ships):
    store = RelationStore()
    assert store.rows(ships, "SELECT r, t0, d1, v3, total FROM t WHERE v3 > ? ORDER BY r", [100]) == [
        (0, "Aurora", "1931", 120.0, False), (2, "Ceres", "1931", 134.0, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('{file}')", "SELECT * FROM '{file}'", "SELECT * FROM read_text('{file}')",
        "COPY t TO '{file}'", "ATTACH '{file}' AS other", "INSTALL httpfs", "LOAD httpfs",
        "SELECT * FROM 'http://127.0.0.1:9/x.csv'", "SELECT * FROM glob('{folder}/*')", "EXPORT DATABASE '{folder}'",
        "SET enable_external_access=true", "SET memory_limit='8GB'", "RESET enable_external_access",
    ],
)  # fmt: skip
def test_neither_files_nor_networks_nor_settings_are_within_reach(ships, tmp_path, statement):
    file = tmp_path / "secret.csv"
    file.write_text("name,word\nroot,hunter2\n")
    with pytest.raises(QueryFailedError):
        RelationStore().rows(ships, statement.format(file=file, folder=tmp_path))
    assert file.read_text() == "name,word\nroot,hunter2\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.xlsx", "secret.csv"]


def test_an_endless_query_is_stopped_and_the_store_still_answers(ships):
    store = RelationStore(seconds=0.2)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with pytest.raises(QueryFailedError, match="could not be asked"):
        store.rows(ships, endless)
    assert store.rows(ships, "SELECT count(*) FROM t") == [(4,)]


def test_a_statement_that_is_wrong_is_told(ships):
    with pytest.raises(QueryFailedError, match="The table could not be asked"):
        RelationStore().rows(ships, "SELEKT")


def test_relations_are_kept_apart_and_the_oldest_given_up(tmp_path, ships):
    orders, store = relation_of(tmp_path, ORDERS), RelationStore(kept=1)
    for _ in range(2):
        assert store.rows(ships, "SELECT count(*) FROM t") == [(4,)]
        assert store.rows(orders, "SELECT count(*) FROM t") == [(6,)]
