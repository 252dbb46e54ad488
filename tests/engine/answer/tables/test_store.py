"""Relations in DuckDB: nothing outside is reached, limits hold, and relations do not mix."""

import pytest
from read_tables import ORDERS, SHIPS, relation_of

from engine.answer.tables.store import QueryFailedError, query_rows


@pytest.fixture
def ships(tmp_path):
    return relation_of(tmp_path, SHIPS)


def test_a_relation_is_a_table_of_texts_numbers_and_dates(ships):
    assert query_rows(ships, "SELECT r, t0, d1, v3, total FROM t WHERE v3 > ? ORDER BY r", [100]) == [
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
        query_rows(ships, statement.format(file=file, folder=tmp_path))
    assert file.read_text() == "name,word\nroot,hunter2\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.xlsx", "secret.csv"]


def test_an_endless_query_is_stopped_and_the_store_still_answers(ships):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with pytest.raises(QueryFailedError, match="could not be asked"):
        query_rows(ships, endless, seconds=0.2)
    assert query_rows(ships, "SELECT count(*) FROM t") == [(4,)]


def test_a_statement_that_is_wrong_is_told(ships):
    with pytest.raises(QueryFailedError, match="The table could not be asked"):
        query_rows(ships, "SELEKT")


def test_relations_are_kept_apart(tmp_path, ships):
    orders = relation_of(tmp_path, ORDERS)
    for _ in range(2):
        assert query_rows(ships, "SELECT count(*) FROM t") == [(4,)]
        assert query_rows(orders, "SELECT count(*) FROM t") == [(6,)]
