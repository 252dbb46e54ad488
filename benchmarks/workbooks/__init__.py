"""Questions with known answers about list-like workbooks: their tables, kinds of question, and what is right."""
