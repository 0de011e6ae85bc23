"""Text from outside becomes safe HTML of one form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyapp.domain.markup import prose_render, speech_render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# One\n\n## Two", "<h3>One</h3>\n<h4>Two</h4>\n"),
        ("### Three", "<h3>Three</h3>\n"),
        ("# 1\n\n###### 6", "<h3>1</h3>\n<h4>6</h4>\n"),
        ("# 1\n\n### 3\n\n## 2", "<h3>1</h3>\n<h5>3</h5>\n<h4>2</h4>\n"),
        ("    code", '<pre tabindex="0"><code>code\n</code></pre>\n'),
        ("**a** *b* `c`", "<p><strong>a</strong> <em>b</em> <code>c</code></p>\n"),
        ("[site](https://example.org)", "<p>site</p>\n"),
        ("![x](https://example.org/a.png)", "<p></p>\n"),
        ("one\ntwo", "<p>one\ntwo</p>\n"),
        ("3. three", '<ol start="3">\n<li>three</li>\n</ol>\n'),
    ],
)
def test_markdown_becomes_plain_html(text: str, html: str) -> None:
    assert prose_render(text, heading=3) == html


def test_html_in_a_text_is_shown_and_not_obeyed() -> None:
    html = prose_render('<script>alert(1)</script> <b onclick="x">b</b>', heading=3)
    assert "<script" not in html
    assert "<b" not in html
    assert "&lt;script&gt;" in html


def test_a_table_can_be_scrolled_without_a_mouse() -> None:
    html = prose_render("| a |\n|---|\n| &lt;table> |", heading=3)
    assert html.count("<table") == html.count('<table tabindex="0">') == 1


def test_what_was_said_keeps_its_line_ends() -> None:
    assert speech_render("one\ntwo", heading=4) == "<p>one<br>\ntwo</p>\n"


@given(st.text())
def test_no_text_leads_out_of_the_page_or_carries_a_name(text: str) -> None:
    html = prose_render(text, heading=3)
    tags = re.findall(r"<(\w+)([^>]*)>", html)
    assert all(
        name not in ("a", "img", "script", "style", "iframe", "h1", "h2") for name, _ in tags
    )
    assert all(re.fullmatch(r'(| start="\d+"| tabindex="0")', attributes) for _, attributes in tags)
