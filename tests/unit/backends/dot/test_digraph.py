"""The text of digraphs."""

from tamale.backends.dot.digraph import Arrow, Node, digraph_text, quoted


def test_words_stay_bare():
    assert quoted("i_A2") == "i_A2"


def test_keywords_and_other_text_are_quoted():
    assert [quoted(text) for text in ("Node", "a b", "2i", 'x"y\\')] == [
        '"Node"',
        '"a b"',
        '"2i"',
        '"x\\"y\\\\"',
    ]


def test_a_graph():
    text = digraph_text(
        "a title", ["rankdir=LR;"], [Node("i")], [Arrow("i", "edge", {"label": "A", "style": "b"})]
    )
    assert text == (
        "// a title\ndigraph {\n    rankdir=LR;\n    i;\n"
        '    i -> "edge" [label="A" style=b];\n}\n'
    )
