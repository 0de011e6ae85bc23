"""A run's history as a W3C PROV document, from its records alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from apg_engine.errors import ModelSetupError
from apg_engine.journal import CallRecord
from apg_engine.provenance.run_files import REPORT, RESULT, run_corpus, run_files
from apg_engine.records import Corpus, CorpusItem, ItemKind, Trace, Verdict
from apg_engine.results import GateResult, Outcome, Pair

if TYPE_CHECKING:
    from prov.model import ProvActivity, ProvAgent, ProvDocument, ProvEntity

PROV_JSON, PROV_N = "prov.json", "prov.provn"
_TERMS: Final = "urn:apg:terms:"
# PROV-AGENT (Souza et al. 2025) names its classes but no namespace: its own address stands for one.
_PROV_AGENT: Final = "https://arxiv.org/abs/2508.02866#"
_ITEM_TYPES = {
    ItemKind.CONTEXT: "CrisisContext",
    ItemKind.SHOCK: "Shock",
    ItemKind.TURN: "Turn",
    ItemKind.AXIOM: "Axiom",
    ItemKind.DOCUMENT: "Document",
    ItemKind.PRIVATE: "PrivateTrace",
}
_ROLES = ("proposer", "auditor")


def prov_files(
    trace: Trace, result: GateResult, records: Sequence[CallRecord], *, engine: str
) -> dict[str, bytes]:
    """Give a run's history as PROV-JSON and as PROV-N, by file name.

    Args:
        trace: the debate.
        result: the run over it.
        records: the run's calls.
        engine: hash of the engine that ran.

    Raises:
        ModelSetupError: the package prov is not installed.
    """
    document = prov_document(trace, result, records, engine=engine)
    as_json = document.serialize(format="json", indent=1)
    return {
        PROV_JSON: f"{as_json}\n".encode(),
        PROV_N: f"{document.get_provn()}\n".encode(),
    }


def prov_document(
    trace: Trace, result: GateResult, records: Sequence[CallRecord], *, engine: str
) -> ProvDocument:
    """Build the document: what was used, made and answered for; texts stand in it as hashes.

    Raises:
        ModelSetupError: the package prov is not installed.
    """
    try:
        # A tenth of a second that only who exports pays for.
        from prov.model import ProvDocument
    except ImportError as error:
        raise ModelSetupError("the PROV export needs the package prov") from error
    document = ProvDocument()
    own = run_files(trace, result)
    document.add_namespace("apg", _TERMS)
    document.add_namespace("provagent", _PROV_AGENT)
    document.add_namespace("run", f"urn:apg:run:{_sha256(own[RESULT])}:")
    _History(document, trace, result, records).write(engine, own[REPORT])
    return document


class _History:
    """Writes one run into one document, in the order in which things happened."""

    def __init__(
        self,
        document: ProvDocument,
        trace: Trace,
        result: GateResult,
        records: Sequence[CallRecord],
    ) -> None:
        self._document = document
        self._trace = trace
        self._result = result
        self._records = records
        self._corpus = run_corpus(trace)

    def write(self, engine: str, report: bytes) -> None:
        self._agents(engine)
        self._sources()
        calls = _by_pair(self._records)
        for pair in self._result.pairs:
            own = calls.get(pair.number, [])
            self._propose(pair, [call for call in own if call.role == "proposer"])
            self._audit(pair, [call for call in own if call.role != "proposer"])
            if pair.hint:
                self._repair(pair)
        for number in sorted(set(calls) - {pair.number for pair in self._result.pairs}):
            for call in calls[number]:
                self._call(call)
        if self._result.outcome is not Outcome.NOT_JUDGED:
            self._publish(report)

    def _agents(self, engine: str) -> None:
        gate = self._agent("gate", "prov:SoftwareAgent", sha256=engine)
        models = self._result.models
        for role, name, offline in (
            ("proposer", models.proposer, models.proposer_offline),
            ("auditor", models.auditor, models.auditor_offline),
        ):
            kind = "prov:SoftwareAgent" if offline else "provagent:AIAgent"
            agent = self._agent(role, kind, model=name, offline=offline)
            self._document.actedOnBehalfOf(agent, gate)
        for measure in self._result.measures:
            if measure.role == "measured":
                self._document.actedOnBehalfOf(
                    self._agent("measurer", "prov:SoftwareAgent", model=measure.auditor), gate
                )
        for number, party in enumerate(self._trace.agents, start=1):
            self._agent(f"party{number}", "apg:Party", party=party.id, called=party.name)

    def _sources(self) -> None:
        result = self._result
        trace = self._entity("trace", "apg:Trace", sha256=result.trace_sha256)
        corpus = self._entity("corpus", "prov:Collection", sha256=result.corpus_sha256)
        self._document.wasDerivedFrom(corpus, trace)
        parties = {party.id: f"run:party{n}" for n, party in enumerate(self._trace.agents, 1)}
        for item in self._corpus.items:
            entity = self._item(item)
            self._document.hadMember(corpus, entity)
            if item.speaker in parties:
                self._document.wasAttributedTo(entity, parties[item.speaker])
        for prompt in result.prompts:
            name, version, digest = prompt.rsplit(" ", 2)
            sha256 = digest.removeprefix("sha256:")
            self._entity(f"prompt-{name}", "prov:Plan", version=version, sha256=sha256)

    def _item(self, item: CorpusItem) -> ProvEntity:
        return self._entity(
            item.address,
            f"apg:{_ITEM_TYPES[item.kind]}",
            sha256=_sha256(item.text.encode("utf-8", "surrogatepass")),
            characters=len(item.text),
        )

    def _propose(self, pair: Pair, calls: Sequence[CallRecord]) -> None:
        activity = self._activity(f"propose{pair.number}", "apg:Propose", "proposer")
        draft = self._entity(f"draft{pair.number}", "apg:Draft", sha256=pair.draft_sha256)
        self._document.used(activity, "run:corpus")
        self._document.wasGeneratedBy(draft, activity)
        self._document.wasAttributedTo(draft, "run:proposer")
        if pair.number > 1:
            earlier = f"run:draft{pair.number - 1}"
            self._document.used(activity, f"run:hint{pair.number - 1}")
            self._document.wasDerivedFrom(
                draft,
                earlier,
                activity,
                other_attributes={"prov:type": self._name("prov:Revision")},
            )
        self._calls(activity, calls)

    def _audit(self, pair: Pair, calls: Sequence[CallRecord]) -> None:
        activity = self._activity(f"audit{pair.number}", "apg:Audit", "auditor")
        self._document.used(activity, f"run:draft{pair.number}")
        self._document.used(activity, "run:corpus")
        for verdict in pair.verdicts:
            self._verdict(f"verdict{pair.number}", pair, verdict, activity)
        for verdict in pair.confirmation:
            self._verdict(f"confirmation{pair.number}", pair, verdict, activity)
        self._calls(activity, calls)

    def _verdict(self, prefix: str, pair: Pair, verdict: Verdict, activity: ProvActivity) -> None:
        entity = self._entity(
            f"{prefix}-{verdict.sentence_id}",
            "apg:Verdict",
            label=verdict.label.value,
            decidedBy=verdict.decided_by,
            sha256=_json_sha256(asdict(verdict)),
        )
        self._document.wasGeneratedBy(entity, activity)
        self._document.wasDerivedFrom(entity, f"run:draft{pair.number}")
        for address in _addresses(verdict, self._corpus):
            self._document.wasDerivedFrom(entity, f"run:{address}")

    def _repair(self, pair: Pair) -> None:
        activity = self._activity(f"repair{pair.number}", "apg:Repair", "gate")
        sha256 = _sha256(pair.hint.encode("utf-8", "surrogatepass"))
        hint = self._entity(f"hint{pair.number}", "apg:Hint", sha256=sha256)
        for verdict in pair.verdicts:
            self._document.used(activity, f"run:verdict{pair.number}-{verdict.sentence_id}")
        self._document.wasGeneratedBy(hint, activity)

    def _publish(self, report: bytes) -> None:
        synthesis = self._result.outcome is Outcome.SYNTHESIS
        activity = self._activity("publish", "apg:Publish", "gate")
        kind = "apg:Synthesis" if synthesis else "apg:DivergenceReport"
        entity = self._entity("report", kind, sha256=_sha256(report), reason=self._result.reason)
        self._document.wasGeneratedBy(entity, activity)
        self._document.used(activity, "run:corpus")
        for pair in self._result.pairs[-1:] if synthesis else self._result.pairs:
            self._document.used(activity, f"run:draft{pair.number}")
            self._document.wasDerivedFrom(entity, f"run:draft{pair.number}", activity)

    def _calls(self, activity: ProvActivity, calls: Sequence[CallRecord]) -> None:
        for call in calls:
            self._document.wasInformedBy(activity, self._call(call))

    def _call(self, call: CallRecord) -> ProvActivity:
        name = f"call{call.sequence}"
        asked = "messages" in call.request
        kind = "provagent:AIModelInvocation" if asked else "apg:RuleInvocation"
        activity = self._activity(
            name,
            kind,
            _who(call),
            status=call.status,
            attempts=len(call.attempts),
            promptTokens=call.usage.prompt_tokens,
            completionTokens=call.usage.completion_tokens,
        )
        request = self._entity(f"{name}-request", "provagent:Prompt", sha256=call.request_sha256)
        reply = self._entity(
            f"{name}-reply",
            "provagent:ResponseData",
            sha256=_sha256(call.reply.encode("utf-8", "surrogatepass")),
        )
        self._document.used(activity, request)
        self._document.wasGeneratedBy(reply, activity)
        return activity

    def _entity(self, name: str, kind: str, **attributes: Any) -> ProvEntity:
        return self._document.entity(f"run:{name}", self._attributes(kind, attributes))

    def _agent(self, name: str, kind: str, **attributes: Any) -> ProvAgent:
        return self._document.agent(f"run:{name}", self._attributes(kind, attributes))

    def _activity(self, name: str, kind: str, agent: str, **attributes: Any) -> ProvActivity:
        activity = self._document.activity(
            f"run:{name}", other_attributes=self._attributes(kind, attributes)
        )
        self._document.wasAssociatedWith(activity, f"run:{agent}")
        return activity

    def _attributes(self, kind: str, attributes: dict[str, Any]) -> dict[str, Any]:
        known = {f"apg:{key}": value for key, value in attributes.items() if value is not None}
        return {"prov:type": self._name(kind), **known}

    def _name(self, name: str) -> Any:
        return self._document.valid_qualified_name(name)


def _by_pair(records: Sequence[CallRecord]) -> dict[int, list[CallRecord]]:
    """Sort calls into pairs: each call of the proposer begins one."""
    found: dict[int, list[CallRecord]] = {}
    number = 0
    for record in sorted(records, key=lambda record: record.sequence):
        number += record.role == "proposer"
        found.setdefault(number, []).append(record)
    return found


def _who(call: CallRecord) -> str:
    """Name the agent that asked; the measurer asks as an auditor, for a purpose of its own."""
    if call.request.get("purpose") == "measure":
        return "measurer"
    return call.role if call.role in _ROLES else "gate"


def _addresses(verdict: Verdict, corpus: Corpus) -> Iterator[str]:
    """Give the items a verdict rests on, each once, in order."""
    quotes = (*verdict.supporting, *verdict.opposing, *verdict.nearest)
    items = (corpus.item(quote.address) for quote in quotes)
    yield from dict.fromkeys(item.address for item in items if item is not None)


def _json_sha256(data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return _sha256(text.encode("utf-8", "surrogatepass"))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
