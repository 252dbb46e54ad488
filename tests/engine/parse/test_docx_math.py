import pytest
from lxml import etree

from engine.parse.docx_math import linear

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        (f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "x^{2}"),
        (f"<m:sSub><m:e>{run('a')}</m:e><m:sub>{run('n')}</m:sub></m:sSub>", "a_{n}"),
        (f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b')}</m:den></m:f>", r"\frac{a}{b}"),
        (f"<m:rad><m:deg/><m:e>{run('x')}</m:e></m:rad>", r"\sqrt{x}"),
        (f"<m:rad><m:deg>{run('3')}</m:deg><m:e>{run('x')}</m:e></m:rad>", r"\sqrt[3]{x}"),
        (
            f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{run('i=1')}</m:sub><m:sup>{run('n')}</m:sup>"
            f"<m:e>{run('i')}</m:e></m:nary>",
            r"\sum_{i=1}^{n} i",
        ),
        (f"<m:d><m:e>{run('a')}</m:e><m:e>{run('b')}</m:e></m:d>", "(a|b)"),
        (f"<m:func><m:fName>{run('sin')}</m:fName><m:e>{run('x')}</m:e></m:func>", r"\sin x"),
        (
            f"<m:m><m:mr><m:e>{run('a')}</m:e><m:e>{run('b')}</m:e></m:mr><m:mr><m:e>{run('c')}</m:e></m:mr></m:m>",
            r"\begin{matrix} a & b \\ c \end{matrix}",
        ),
        (f"<m:acc><m:accPr><m:chr m:val='&#x20D7;'/></m:accPr><m:e>{run('v')}</m:e></m:acc>", r"\vec{v}"),
    ],
)
def test_equations_become_one_line(xml, text):
    assert linear(etree.fromstring(f"<m:oMath {M}>{xml}</m:oMath>")) == text


def test_an_equation_nested_beyond_reason_still_gives_its_text():
    xml = "<m:d><m:e>" * 100 + run("x") + "</m:e></m:d>" * 100
    assert "x" in linear(etree.fromstring(f"<m:oMath {M}>{xml}</m:oMath>"))
