"""What pages are made of, alone: markdown, diffs, logs and small words."""

import pytest

from bot.twin.pages import draw
from bot.twin.pages.markdown import said, written
from bot.twin.pages.patch import Line, rows_of
from bot.twin.pages.runs import parts_of
from tests.twin.desk import Desk
from tests.twin.reader import Reader

BASE = "/octocat/x"

MARKDOWN = [
    ("**a** ~~b~~", "<p><strong>a</strong> <s>b</s></p>"),
    ("a\r\nb", "<p>a<br>\nb</p>"),
    ("<!-- stratbot: status -->\nx", "<p>x</p>"),
    ("see #12, a#12 and `#12`", 'see <a href="/octocat/x/issues/12" class="mention"'),
    ("@octo-cat", 'href="/octo-cat" class="mention"'),
    ("|a|\n|-:|\n|1|", '<td align="right">1</td>'),
    ("- [x] done", '<input disabled="" type="checkbox" checked=""> done'),
    ("<details><summary>S</summary>\n\n**b**\n\n</details>", "<strong>b</strong>"),
    ("> [!CAUTION]\n> x", '<div class="markdown-alert markdown-alert-caution">'),
    ("```mermaid\na --> b\n```", '<code class="language-mermaid">a --&gt; b\n</code>'),
    ("www.example.org", '<a href="http://www.example.org"'),
]


@pytest.mark.parametrize("text,html", MARKDOWN)
def test_what_people_write_looks_as_on_github(text: str, html: str) -> None:
    assert html in said(text, BASE)


REFUSED = [
    ("<script>alert(1)</script>x", ("script", "alert")),
    ("<style>*{}</style>x", ("style", "{}")),
    ("[a](javascript:alert(1))", ('href="javascript',)),
    ("<a href='JaVaScRiPt:alert(1)'>x</a>", ("href",)),
    ("<img src=x onerror=alert(1)>", ("onerror",)),
    ("<p style='position:fixed' id=main class=top>x</p>", ("style", "id=", "top")),
    (
        "<form action=/logout><input name=token><button>x</button></form>",
        ("form", "name", "button"),
    ),
    ("<input type=text>", ('type="text"',)),
    ("<iframe src=/></iframe><object data=/></object><base href=/>", ("iframe", "object", "base")),
    ("<svg onload=alert(1)><a xlink:href='javascript:x'>y</a></svg>", ("svg", "onload", "xlink")),
    ("<!-- stratbot: status -->", ("stratbot",)),
]


@pytest.mark.parametrize("text,gone", REFUSED)
def test_what_could_act_is_taken_out(text: str, gone: tuple[str, ...]) -> None:
    for html in (said(text, BASE), written(text, BASE, "main")):
        assert not [word for word in gone if word in html], html


def test_a_mention_in_a_link_or_in_code_stays_what_it_is() -> None:
    html = said("[#1](https://example.org) `@octocat`\n\n    #2\n", BASE)
    assert "mention" not in html


def test_a_diff_has_the_numbers_of_both_sides() -> None:
    patch = "@@ -2,3 +2,3 @@ def f\n a\n-b\n+c\n d\n\\ No newline at end of file"
    assert rows_of(patch) == [
        Line("hunk", "@@ -2,3 +2,3 @@ def f"), Line("same", "a", 2, 2), Line("removed", "b", 3),
        Line("added", "c", None, 3), Line("same", "d", 4, 4),
        Line("note", " No newline at end of file"),
    ]  # fmt: skip
    assert rows_of("") == []


def test_a_log_is_folded_by_its_groups() -> None:
    log = "start\n##[group]Build\n\x1b[31mred\x1b[0m\n##[error]it broke\n##[endgroup]\nend\n"
    found = [(part.name, part.lines, part.bad) for part in parts_of(log)]
    assert found == [
        ("", [(1, "", "start")], False),
        ("Build", [(3, "", "red"), (4, "error", "it broke")], True),
        ("", [(6, "", "end")], False),
    ]


@pytest.mark.parametrize("state,tone", [
    ("success", "good"), ("failure", "bad"), ("timed_out", "bad"), ("in_progress", "waiting"),
    ("skipped", "muted"), ("cancelled", "muted"), (None, "waiting"), ("anything else", "bad"),
])  # fmt: skip
def test_only_a_success_looks_good(state: str | None, tone: str) -> None:
    assert draw.tone(state) == tone


def test_small_words() -> None:
    assert draw.when("2026-03-01T10:20:30Z") == "1 Mar 2026, 10:20" and draw.when(None) == ""
    assert draw.took("2026-03-01T10:20:30Z", "2026-03-01T10:22:31Z") == "2 min 1 s"
    assert [draw.size(n) for n in (9, 1500, 2_500_000)] == ["9 bytes", "1.5 kB", "2.5 MB"]
    assert draw.colour("d73a4a") == "#d73a4a" and draw.colour('"><script>') == "#888888"


def test_a_form_that_is_not_as_it_should_be_is_drawn_as_far_as_it_goes(desk: Desk) -> None:
    text = (
        "name: N\nbody:\n- 1\n- {type: input, attributes: [x]}\n- {type: dropdown}\n- {type: no}\n"
    )
    text += "- {type: checkboxes, attributes: {label: L, options: 7}}\n"
    for name, said_there in (("a.yml", text), ("b.yml", "{"), ("c.yml", "[1]"), ("d.md", "plain")):
        desk.repo().create_file(f".github/ISSUE_TEMPLATE/{name}", "Add", said_there)
    reader, page = Reader(desk.twin, "octocat"), f"/{desk.full_name}/issues/new"
    names = [
        a["href"].rpartition("=")[2] for a in reader.get(page).every("a", **{"class": "button"})
    ]
    assert names == ["a.yml", "d.md", f"{page}?blank"]
    assert reader.get(f"{page}?template=a.yml").status == 200
    assert "plain" in reader.get(f"{page}?template=d.md").text
