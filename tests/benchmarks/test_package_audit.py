"""The script that tells licences and known weaknesses of what is installed."""

from package_audit import by_licence, licence, told_of


def test_a_licence_is_named_by_its_expression_else_its_class_else_its_short_name():
    assert licence({"license_expression": "MIT", "license": "MIT License"}) == "MIT"
    assert licence({"classifier": ["License :: OSI Approved :: BSD License"]}) == "BSD License"
    assert licence({"license": "Zlib"}) == "Zlib"
    assert licence({"license": "Permission is hereby granted, " * 9}) == "not told"
    assert "numpy" in {name for names in by_licence(["numpy", "lxml"]).values() for name in names}


def test_only_a_weakness_that_a_newer_version_mends_is_a_fault():
    weak = {"name": "a", "version": "1", "vulns": [{"id": "W-1", "fix_versions": []}]}
    mended = {"name": "b", "version": "2", "vulns": [{"id": "W-2", "fix_versions": ["2.1"]}]}
    unknown = {"name": "c", "skip_reason": "not found"}
    assert told_of({"dependencies": [weak, unknown]}) == (
        ["a 1: W-1, mended in -", "1 of 2 packages were looked up"],
        False,
    )
    assert told_of({"dependencies": [weak, mended]})[1]


def test_a_list_that_is_out_of_reach_is_told_and_no_fault():
    lines, mended = told_of({"dependencies": [{"name": "c", "skip_reason": "not found"}]})
    assert lines == ["0 of 1 packages were looked up, the list is out of reach"]
    assert not mended
