from engine.model import Node, Tree
from pages.widgets.document_view import DocumentView
from pages.widgets.page_image import find


def view_of(*texts: str) -> DocumentView:
    nodes = [Node(f"n{at}", "root", "paragraph", position=at, text=text) for at, text in enumerate(texts)]
    return DocumentView(Tree("d1", "book", "text/markdown", 1, None, [Node("root", None, "document"), *nodes], []))


def found(view: DocumentView, words: str) -> list[tuple[str, str]]:
    return [(node.node_id, said) for node, said in find(view, words)]


def test_words_are_found_whatever_their_case_and_the_white_space_between():
    view = view_of("The Red\n granite tower", "a red brick house", "red  granite")
    assert found(view, "red granite") == [("n0", "Red\n granite"), ("n2", "red  granite")]
    assert found(view, "brick (") == found(view, "  ") == []


def test_chinese_words_are_found_over_the_end_of_a_line():
    assert found(view_of("股东\n权益合计", "负债"), "股东权益") == [("n0", "股东\n权益")]
