import pytest
from lxml import etree

from engine.parse.equations import write_equations

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def written(*equations: str) -> list[str]:
    root = etree.fromstring(f"<p {M}>{''.join(f'<m:oMath>{one}</m:oMath> so ' for one in equations)}</p>")
    write_equations(root)
    assert [one.tail for one in root] == [" so "] * len(equations)
    return [one.text for one in root]


def test_the_equations_of_a_part_are_latex_each_in_its_place():
    square = f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>"
    half = f"<m:f><m:num>{run('π')}</m:num><m:den>{run('b')}</m:den></m:f>"
    total = (
        f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{run('i=1')}</m:sub><m:sup>{run('n')}</m:sup>"
        f"<m:e>{run('i')}</m:e></m:nary>"
    )
    assert written(square, "", half, total) == ["x^{2}", "", r"\frac{\pi}{b}", r"\sum_{i = 1}^{n}i"]


@pytest.mark.parametrize("depth", [100, 900])
def test_an_equation_nested_beyond_reason_still_gives_its_text(depth):
    parser = etree.XMLParser(huge_tree=True)
    xml = f"<p {M}><m:oMath>{'<m:d><m:e>' * depth}{run('x')}{'</m:e></m:d>' * depth}</m:oMath></p>"
    root = etree.fromstring(xml, parser)
    write_equations(root)
    assert "x" in root[0].text
