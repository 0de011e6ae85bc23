"""Texts and the sentences they hold: what a splitter for debates has to get right."""

from __future__ import annotations

# One row a case: a text and the sentences it holds. Kinds of cases: field notes on splitters and
# graders, and the markdown of recorded debates. All texts are ours or shorter than a line.
CASES: dict[str, tuple[str, list[str]]] = {
    "glued after a price": (
        "It costs $3.50.The rate is 4.2%.",
        ["It costs $3.50.", "The rate is 4.2%."],
    ),
    "decimal": ("It used a learning rate of 0.002.", ["It used a learning rate of 0.002."]),
    "degree": ("It was the Ph.D.'s job.", ["It was the Ph.D.'s job."]),
    "number abbreviation": ("See no. 5. He knows.", ["See no. 5.", "He knows."]),
    "initialism inside": ("He is in the U.S.A. today.", ["He is in the U.S.A. today."]),
    "initialism at the end": (
        "He left the U.S. The war began.",
        ["He left the U.S.", "The war began."],
    ),
    "initial of a name": ("J. Smith spoke. All agreed.", ["J. Smith spoke.", "All agreed."]),
    "title": ("Dr. Lee left. Mr. Ode stayed.", ["Dr. Lee left.", "Mr. Ode stayed."]),
    "equation": ("By Eq. 3. the sum is 5.", ["By Eq. 3. the sum is 5."]),
    "approximately": ("Give approx. 5 mg. Then wait.", ["Give approx. 5 mg.", "Then wait."]),
    "for example": ("Some loads, e.g. Pumps, stay on.", ["Some loads, e.g. Pumps, stay on."]),
    "et cetera": ("Pumps, fans, etc. They stay on.", ["Pumps, fans, etc.", "They stay on."]),
    "ellipsis inside": ("It went on ... and then stopped.", ["It went on ... and then stopped."]),
    "ellipsis at the end": ("We waited... Nothing came.", ["We waited...", "Nothing came."]),
    "ellipsis sign": ("We waited… Nothing came.", ["We waited…", "Nothing came."]),
    "quote after the stop": ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
    "straight quote": ('He said "No." She sat.', ['He said "No."', "She sat."]),
    "quote goes on": ("“Stop!” he said at last.", ["“Stop!” he said at last."]),
    "bold stop": ("**It failed.** We left.", ["**It failed.**", "We left."]),
    "bracketed sentence": (
        "It ran (see Fig. 3.) Then it broke.",
        ["It ran (see Fig. 3.)", "Then it broke."],
    ),
    "citation behind the stop": (
        "It ended.[12] Next came rain.",
        ["It ended.[12]", "Next came rain."],
    ),
    "citation spaced": (
        "It ended. [claim_05] Next came rain.",
        ["It ended. [claim_05]", "Next came rain."],
    ),
    "two citations": ("It ended.[1][2] Next.", ["It ended.[1][2]", "Next."]),
    "stop inside a citation": (
        "As said [p. 3. line 2] it holds.",
        ["As said [p. 3. line 2] it holds."],
    ),
    "stop inside code": ("Run `a. b` now. Done.", ["Run `a. b` now.", "Done."]),
    "address of a page": (
        "See https://a.org/x.Html?q=1. It is new.",
        ["See https://a.org/x.Html?q=1.", "It is new."],
    ),
    "question then answer": ("Why? Because it rained.", ["Why?", "Because it rained."]),
    "many marks": ("Really?! Yes!", ["Really?!", "Yes!"]),
    "leading mark": (
        "? I have not slept since 2007. I will.",
        ["? I have not slept since 2007.", "I will."],
    ),
    "leading dot": (".@user is ready!", [".@user is ready!"]),
    "lower case": ("it failed. it did.", ["it failed.", "it did."]),
    "inline list": ("Bob ate: 1. a pizza, 2. a pie.", ["Bob ate: 1. a pizza, 2. a pie."]),
    "version": ("Version 5.3. is out. Use it.", ["Version 5.3. is out.", "Use it."]),
    "time of day": ("They met at 5 p.m. It rained.", ["They met at 5 p.m.", "It rained."]),
    "chinese": ("口罩有效。疫苗也有效。", ["口罩有效。", "疫苗也有效。"]),
    "wide marks": (
        "Masks work! Vaccines help\uff1f Yes。",
        ["Masks work!", "Vaccines help\uff1f", "Yes。"],
    ),
    "japanese quote": ("彼は「はい。」と言った。次。", ["彼は「はい。」", "と言った。", "次。"]),
    "polish number": (
        "Zużyto ok. 5 tys. zł. Zostało mało.",
        ["Zużyto ok. 5 tys. zł.", "Zostało mało."],
    ),
    "polish example": ("Odbiorniki, np. Pompy, działają.", ["Odbiorniki, np. Pompy, działają."]),
    "polish year": ("Powstał w 2020 r. Potem spłonął.", ["Powstał w 2020 r.", "Potem spłonął."]),
    "polish among others": (
        "Działa m.in. Szpital. Reszta nie.",
        ["Działa m.in. Szpital.", "Reszta nie."],
    ),
    "polish professor": ("Mówił prof. Nowak. Słuchano.", ["Mówił prof. Nowak.", "Słuchano."]),
    "bullets": ("* a\n* b\n* c", ["a", "b", "c"]),
    "bullet with two": ("- One thing. Another.\n- Third", ["One thing.", "Another.", "Third"]),
    "numbered": ("1. First point.\n2) Second point.", ["First point.", "Second point."]),
    "wrapped bullet": (
        "- A long\n  bullet goes on.\n- Next",
        ["A long\n  bullet goes on.", "Next"],
    ),
    "heading": ("# The plan\nIt works.", ["The plan", "It works."]),
    "underlined heading": ("The plan\n========\nIt works.", ["The plan", "It works."]),
    "bold line": ("**The stance**\n\nIt works.", ["**The stance**", "It works."]),
    "quote block": ("> It works. It lasts.", ["It works.", "It lasts."]),
    "table": ("| load | MW |\n|---|---|\n| pump | 9. |", ["| load | MW |", "| pump | 9. |"]),
    "code": ("```\na. B\nc\n```\nDone.", ["a. B\nc", "Done."]),
    "open fence": ("```\na. B", ["a. B"]),
    "rule": ("One.\n\n---\n\nTwo.", ["One.", "Two."]),
    "windows lines": ("One.\r\n\r\nTwo.", ["One.", "Two."]),
    "line separator": ("One\u2028line. Two.", ["One\u2028line.", "Two."]),
    "soft wrap": ("One sentence\nover two lines.", ["One sentence\nover two lines."]),
    "claim marks of a debate": (
        "The wards come first ([claim_01], [claim_02]). The halls wait [claim_05].",
        ["The wards come first ([claim_01], [claim_02]).", "The halls wait [claim_05]."],
    ),
    "bold claim mark": (
        "**Claim_05** fails. The pump rests.",
        ["**Claim_05** fails.", "The pump rests."],
    ),
    "bold stance before prose": (
        "**Policy Stance:** The dam opens first. It must hold.",
        ["**Policy Stance:** The dam opens first.", "It must hold."],
    ),
    "tag of a strategy": (
        "<plan_note> The dam opens. It holds.",
        ["<plan_note> The dam opens.", "It holds."],
    ),
    "bold stop in a line": (
        "We must act **now.** Delay costs 3.5 MW.",
        ["We must act **now.**", "Delay costs 3.5 MW."],
    ),
    "number that ends a bullet": (
        "1. The pump draws 3.\n2. The fan draws 2.",
        ["The pump draws 3.", "The fan draws 2."],
    ),
    "no stop": ("Nothing ends this", ["Nothing ends this"]),
    "empty": ("", []),
    "blank": (" \n\t\n ", []),
}
