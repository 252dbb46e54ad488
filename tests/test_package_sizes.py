"""The script that tells what packages weigh and who needs them."""

from benchmarks.package_sizes import Package, freed_without, installed, needed_by, reachable

PACKAGES = {
    "dropqa": Package("dropqa", "1", 1, frozenset({"app", "ocr"})),
    "app": Package("app", "1", 10, frozenset({"numbers"})),
    "ocr": Package("ocr", "1", 20, frozenset({"numbers", "pictures"})),
    "numbers": Package("numbers", "1", 100, frozenset()),
    "pictures": Package("pictures", "1", 200, frozenset({"ocr"})),
    "tests": Package("tests", "1", 5, frozenset({"numbers"})),
}


def test_what_running_needs_leaves_out_what_only_tests_need():
    assert reachable(PACKAGES, ["dropqa"]) == PACKAGES.keys() - {"tests"}
    assert needed_by(PACKAGES, "numbers") == ["app", "ocr", "tests"]


def test_removing_a_package_frees_what_only_it_brings():
    assert freed_without(PACKAGES, "ocr") == 220
    assert freed_without(PACKAGES, "numbers") == 100
    assert freed_without(PACKAGES, "tests") == 0


def test_the_packages_of_this_environment_are_found_with_their_extras():
    found = installed()
    assert {"streamlit", "paddleocr"} <= found["dropqa"].needs
    assert found["paddlex"].needs >= {"shapely"}  # asked for as an extra
    assert found["numpy"].size > 10_000_000
