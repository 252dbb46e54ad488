"""The letters by which sheets call their columns: 1 is A, 27 is AA."""


def column_letters(column: int) -> str:
    """Return the letters of a 1-based column; "" for 0."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the 1-based column of capital letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
