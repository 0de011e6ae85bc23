"""A run as Markdown: outcome, published text, PF by pair, each sentence with its grounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from apg_engine.records import Fidelity, Quote, Sentence, SentenceKind, Verdict
from apg_engine.reporting.words import REPORT_WORDS, ReportWords
from apg_engine.results import GateResult, Outcome, Pair
from apg_engine.stages.divergence_prose import divergence_render
from apg_engine.stages.repair import best_pair

# What is quoted must not be read as Markdown or HTML, nor end a table cell.
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|!&~])")
_PRIVATE = "P"


def report_markdown(result: GateResult, *, title: str, question: str, language: str) -> str:
    """Tell a run.

    Quotes of private traces are named by their address and never repeated.

    Args:
        result: the run.
        title: of the debate.
        question: that was put to the parties.
        language: `en` or `pl`; drafts and reasons stay as they were written.
    """
    words = REPORT_WORDS[language]
    parts = [
        f"# {plain(title)}",
        *_lead(result, question, words),
        f"## {words.published}",
        published_text(result, language=language) or words.nothing_published,
        *_history(result, words),
        *_sentences(result, words),
        *_divergence(result.divergence or {}, words),
        *_told(result, words),
        f"## {words.baseline}",
        result.baseline_text or words.none,
        *_proof(result, words),
    ]
    return "\n\n".join(parts) + "\n"


def published_text(result: GateResult, *, language: str) -> str:
    """Give what people read: the synthesis as it is, a Divergence Report in this language."""
    if result.divergence is not None:
        return divergence_render(result.divergence, language=language)
    return result.apg_text


def plain(text: str) -> str:
    """Keep a text's characters from being read as Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _lead(result: GateResult, question: str, words: ReportWords) -> Iterator[str]:
    yield f"**{words.outcomes[result.outcome]}**"
    yield f"*{words.caveat}*"
    models, config = result.models, result.config
    yield _listed(
        (words.question, plain(question) or words.none),
        (words.reason, f"`{result.reason}`: {plain(result.detail)}"),
        (words.proposer, _model(models.proposer, words, offline=models.proposer_offline)),
        (words.auditor, _model(models.auditor, words, offline=models.auditor_offline)),
        (words.policy, f"`{config.policy}`"),
        (words.threshold, f"{config.threshold_percent} %"),
        (words.warnings, "; ".join(map(plain, result.warnings)) or words.none),
    )


def _model(name: str, words: ReportWords, *, offline: bool) -> str:
    return f"{plain(name)} ({words.offline})" if offline else plain(name)


def _listed(*rows: tuple[str, str]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in rows)


def _history(result: GateResult, words: ReportWords) -> Iterator[str]:
    if not result.pairs:
        return
    yield f"## {words.history}"
    rows = [f"| {' | '.join(words.history_head)} |", "| --- | --- | --- | --- |"]
    for pair in result.pairs:
        counts = pair.counts
        ways = (counts.paper, counts.strict, counts.pf_all) if counts else (None, None, None)
        cells = " | ".join(_counted(fidelity, words) for fidelity in ways)
        rows.append(f"| {pair.number} | {cells} |")
    yield "\n".join(rows)
    yield words.history_note
    yield from _corrected(result.pairs[-1], words)
    yield from _measures(result, words)


def _counted(fidelity: Fidelity | None, words: ReportWords) -> str:
    if fidelity is None or not fidelity.total:
        return words.not_counted
    share = fidelity.supported / fidelity.total
    return f"{fidelity.supported}/{fidelity.total} ({share:.3f})"


def _measures(result: GateResult, words: ReportWords) -> Iterator[str]:
    policy = result.config.policy
    for measure in result.measures:
        ends = [
            _counted(getattr(counts, policy) if counts else None, words)
            for counts in (measure.initial, measure.terminal)
        ]
        yield words.measure.format(
            auditor=plain(measure.auditor),
            role=words.roles[measure.role],
            initial=ends[0],
            terminal=ends[1],
        )
    last = result.pairs[-1]
    if last.coverage:
        covered, stances = len(last.coverage.covered), len(last.coverage.stances)
        yield words.coverage.format(n=last.number, covered=covered, stances=stances)


def _corrected(pair: Pair, words: ReportWords) -> Iterator[str]:
    known = pair.calibrated
    if known is None:
        return
    if known.corrected is None:
        yield words.not_corrected.format(reason=plain(known.reason))
        return
    yield words.corrected.format(
        data_set=plain(known.data_set),
        domain=known.domain,
        value=f"{known.corrected:.3f}",
        low=f"{known.low:.3f}",
        high=f"{known.high:.3f}",
    )


def _sentences(result: GateResult, words: ReportWords) -> Iterator[str]:
    pair = _shown_pair(result)
    if pair is None:
        return
    yield f"## {words.sentences}"
    yield " ".join(
        filter(None, (words.sentences_of.format(n=pair.number), words.original_language))
    )
    verdicts = {verdict.sentence_id: verdict for verdict in pair.verdicts}
    yield "\n".join(
        line
        for sentence in pair.sentences
        for line in _sentence(sentence, verdicts.get(sentence.id), words)
    )


def _shown_pair(result: GateResult) -> Pair | None:
    judged = [pair for pair in result.pairs if pair.fidelity]
    if result.outcome is Outcome.DIVERGENCE and judged:
        return best_pair(result.pairs)
    return result.pairs[-1] if result.pairs else None


def _sentence(sentence: Sentence, verdict: Verdict | None, words: ReportWords) -> Iterator[str]:
    if verdict is None:
        kind = words.none if sentence.kind is SentenceKind.CLAIM else words.kinds[sentence.kind]
        yield f"- **{sentence.id}** {plain(sentence.text)} *({kind})*"
        return
    yield f"- **{sentence.id}** {plain(sentence.text)} **{words.labels[verdict.label]}**"
    yield f"    - {plain(verdict.reason)} (*{plain(verdict.decided_by)}*)"
    for name, quotes in (
        (words.supporting, verdict.supporting),
        (words.opposing, verdict.opposing),
        (words.nearest, verdict.nearest),
    ):
        for quote in quotes:
            yield f"    - {name} {_quoted(quote)}"


def _quoted(quote: Quote) -> str:
    place = f"{quote.address}\\[{quote.start}:{quote.end}\\]"
    return place if quote.address.startswith(_PRIVATE) else f"{place} “{plain(quote.text)}”"


def _divergence(report: dict[str, Any], words: ReportWords) -> Iterator[str]:
    if not report:
        return
    names = {party["id"]: plain(party["name"]) for party in report["parties"]}
    sections = (
        (words.conflicts, [_conflict(one, names, words) for one in report["conflicting_sources"]]),
        (words.agreed, [_fact(one, names) for one in report["agreed_facts"]]),
        (words.gaps, [_gap(one, names, words) for one in report["missing_evidence"]]),
    )
    for heading, lines in sections:
        yield f"## {heading}"
        yield "\n".join(f"- {line}" for line in lines) or words.none


def _conflict(conflict: dict[str, Any], names: dict[str, str], words: ReportWords) -> str:
    if conflict["kind"] == "denial":
        denied = "; ".join(f"{_source(one, names)} {words.denied}" for one in conflict["denied"])
        return f"{words.denial} {_source(conflict['asserted'], names)}; {denied}"
    counted = words.arithmetic.format(
        asked=_number(conflict["asked"]),
        available=_number(conflict["available"]),
        missing=_number(conflict["missing"]),
        measure=plain(conflict["measure"]),
        terms=" + ".join(_number(demand["amount"]) for demand in conflict["demands"]),
    )
    sources = [conflict["source"], *conflict["demands"]]
    return f"{counted} " + "; ".join(_source(one, names) for one in sources)


def _fact(fact: dict[str, Any], names: dict[str, str]) -> str:
    return f"{plain(fact['fact'])} " + "; ".join(_address(one, names) for one in fact["sources"])


def _gap(gap: dict[str, Any], names: dict[str, str], words: ReportWords) -> str:
    source = _address(gap["source"], names) if gap["source"] else f"({words.no_source})"
    return f"{plain(gap['text'])} {source}"


def _source(source: dict[str, Any], names: dict[str, str]) -> str:
    return f"“{plain(source['quote'])}” {_address(source, names)}"


def _address(source: dict[str, Any], names: dict[str, str]) -> str:
    speaker = names.get(source["agent"], "")
    return f"({speaker}, {source['address']})" if speaker else f"({source['address']})"


def _number(value: float) -> str:
    return f"{value:.10g}"


def _told(result: GateResult, words: ReportWords) -> Iterator[str]:
    hints = [(pair.number + 1, pair.hint) for pair in result.pairs if pair.hint]
    if not hints:
        return
    yield f"## {words.told}"
    for number, hint in hints:
        yield f"{words.told_before.format(n=number)}:"
        yield "\n".join(f"> {plain(line)}  " for line in hint.split("\n"))


def _proof(result: GateResult, words: ReportWords) -> Iterator[str]:
    yield f"## {words.proof}"
    prompts = [("prompt", f"`{prompt}`") for prompt in result.prompts]
    yield _listed(
        ("trace", f"`{result.trace_sha256}`"),
        ("corpus", f"`{result.corpus_sha256}`"),
        ("segmenter", f"`{result.segmenter}`"),
        *prompts,
    )
