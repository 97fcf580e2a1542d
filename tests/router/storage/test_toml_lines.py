"""Finding the line of a key in a TOML text."""

from router.storage.edited_files import key_lines


def test_tables_and_keys() -> None:
    """Each table and key is found on its first line, whatever stands between, in any way TOML writes it."""
    text = (
        "# [not.a.table]\n"
        'top = "[nor this]"\n'
        "\n"
        "[a.'b c']  # a comment\n"
        "x = [\n"
        "  'one',  # ]\n"
        "]\n"
        'y = """\n'
        "z = 1\n"
        '"""\n'
        "inline = { deep = { er = 1 } }\n"
        "dotted . key = 2\r\n"
        "[[many]]\n"
        "k = 1\n"
    )
    expected = {
        ("top",): 2,
        ("a",): 4,
        ("a", "b c"): 4,
        ("a", "b c", "x"): 5,
        ("a", "b c", "y"): 8,
        ("a", "b c", "inline"): 11,
        ("a", "b c", "inline", "deep"): 11,
        ("a", "b c", "inline", "deep", "er"): 11,
        ("a", "b c", "dotted"): 12,
        ("a", "b c", "dotted", "key"): 12,
        ("many",): 13,
        ("many", "k"): 14,
    }
    assert expected == {path: first for path, (first, _) in key_lines(text).items()}
    assert (5, 7) == key_lines(text)["a", "b c", "x"]
