from engine.evaluate.saved import MOST_RUNS, RunHistory, SavedRun


def run_of(ndcg: float) -> SavedRun:
    return SavedRun({"ndcg@10": ndcg}, {}, {"p50": 1.0, "p95": 2.0}, [])


def test_runs_are_kept_in_their_order_for_their_owner_alone(tmp_path):
    RunHistory(tmp_path).add("ann", run_of(0.4), 10.0, {})
    RunHistory(tmp_path).add("ann", run_of(0.6), 20.0, {"retrieval.k_dense": 50})
    first, second = RunHistory(tmp_path).list("ann")
    assert (first.at, first.metrics, first.tried) == (10.0, {"ndcg@10": 0.4}, {})
    assert second.tried == {"retrieval.k_dense": 50}
    assert RunHistory(tmp_path).list("bob") == []


def test_of_very_many_runs_the_oldest_are_forgotten(tmp_path):
    history = RunHistory(tmp_path)
    for number in range(MOST_RUNS + 1):
        history.add("ann", run_of(0.5), float(number), {})
    assert [run.at for run in history.list("ann")] == [float(number) for number in range(1, MOST_RUNS + 1)]
