"""A small annual report as PDF, made up for pictures and demonstrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TITLE = "Northlight Energy: annual report 2025"
SECTIONS: list[tuple[str, list[str | list[list[str]]]]] = [
    (
        "1 Business overview",
        [
            "Northlight Energy builds and runs wind parks, grid storage and the software that joins them. "
            "Revenue rose by 12 percent to 4.21 billion euros in 2025. Storage was the fastest growing segment.",
            "The company employs 6,840 people at 31 sites in nine countries. Half of them work in the north of "
            "Norway, where the first wind park was opened in 2004.",
        ],
    ),
    (
        "1.1 Grid storage",
        [
            "Revenue of the storage segment grew by 31 percent to 1.87 billion euros, driven by long contracts "
            "with four national grid operators. The order book covers 26 months of production.",
            "Storage capacity in operation reached 5.4 gigawatt hours at the end of the year, after 3.9 in 2024. "
            "Two thirds of the new capacity stands beside existing wind parks and shares their grid connection.",
        ],
    ),
    (
        "1.2 Wind parks",
        [
            "Wind parks delivered 8.1 terawatt hours, four percent less than in the year before, because the "
            "spring was unusually calm. Availability of the turbines was 97.2 percent.",
        ],
    ),
    (
        "2 Key figures",
        [
            [
                ["Segment", "2024", "2025", "Change"],
                ["Storage", "1.43", "1.87", "+31%"],
                ["Wind parks", "1.71", "1.64", "-4%"],
                ["Software", "0.62", "0.70", "+13%"],
            ],
            "Table 1: Revenue by segment, in billion euros.",
            "The gross margin widened from 24.8 to 26.1 percent. Investments of 910 million euros were paid "
            "entirely from operating cash flow.",
        ],
    ),
    (
        "3 Risks",
        [
            "The principal risk is the supply of battery cells. Two manufacturers provide 83 percent of the cells "
            "that the storage segment needs. Eleven weeks of buffer inventory and a third manufacturer, qualified "
            "for 2027, limit the growth that an interruption would cost.",
            "New rules on grid fees in four markets may delay projects with a volume of 340 million euros.",
        ],
    ),
    (
        "3.1 Weather",
        [
            "One percent less wind costs about 14 million euros of revenue a year. The company does not insure "
            "against calm years, because storage contracts balance most of the loss.",
        ],
    ),
    (
        "4 Outlook",
        [
            "For 2026 the board expects revenue between 4.6 and 4.8 billion euros and a gross margin above 26 "
            "percent. Storage capacity is to pass 7 gigawatt hours by the end of the year.",
        ],
    ),
]  # fmt: skip


def write_report(path: Path) -> None:
    """Write the report as a PDF of a few pages."""
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    body = ParagraphStyle("body", fontName="Helvetica", fontSize=11, leading=16.5, spaceAfter=9)
    head = {
        1: ParagraphStyle("h1", fontName="Helvetica-Bold", fontSize=16, leading=20, spaceBefore=22, spaceAfter=9),
        2: ParagraphStyle("h2", fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=14, spaceAfter=7),
    }
    title = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=23, leading=30, spaceAfter=26)
    story: list[Any] = [Spacer(1, 20), Paragraph(TITLE, title)]
    for heading, contents in SECTIONS:
        story.append(Paragraph(heading, head[2 if "." in heading.split()[0] else 1]))
        for content in contents:
            if isinstance(content, str):
                story.append(Paragraph(content, body))
                continue
            table = Table(content, colWidths=[150, 80, 80, 80], hAlign="LEFT")
            table.setStyle(
                [
                    ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 10.5),
                    ("FONT", (0, 1), (-1, -1), "Helvetica", 10.5),
                    ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#b8c0d0")),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
                ]
            )
            story += [Spacer(1, 4), table, Spacer(1, 8)]
    SimpleDocTemplate(
        str(path), pagesize=A4, leftMargin=72, rightMargin=72, topMargin=64, bottomMargin=64, title=TITLE
    ).build(story)
