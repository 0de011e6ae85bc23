"""A module's knowledge graph: what it believes, knows, wants and could give up."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from apg_engine.errors import ConfigError
from apg_engine.matching.index import content_of, words_in

MODULES: Final = ("continuity", "protection", "structure")
# A neighbour of a hit is worth half a hit; an answer to the addressed party as much as one word.
_NEIGHBOUR: Final = 0.5
_ANSWER: Final = 1.0


class NodeKind(StrEnum):
    """What a node holds. Beliefs and goals are private; facts and concessions may be said."""

    BELIEF = "belief"
    GOAL = "goal"
    FACT = "fact"
    CONCESSION = "concession"

    @property
    def is_private(self) -> bool:
        """True for what a module acts on and never says."""
        return self in {NodeKind.BELIEF, NodeKind.GOAL}


@dataclass(frozen=True, slots=True)
class Node:
    """One axiom of a module.

    Attributes:
        id: `continuity:energy.f1`, unique over all modules.
        saves: what a concession gives up, in the scenario's unit.
    """

    id: str
    kind: NodeKind
    text: str
    saves: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """`supports` another node, or `answers` or `opposes` what a module says."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """What one module rests on in one scenario."""

    module: str
    name: str
    mandate: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def of_kind(self, *kinds: NodeKind) -> tuple[Node, ...]:
        """Give the nodes of these kinds, in the order of the file."""
        return tuple(node for node in self.nodes if node.kind in kinds)

    def node(self, node_id: str) -> Node | None:
        """Give a node by its id, or None."""
        return next((node for node in self.nodes if node.id == node_id), None)


@cache
def knowledge_load(module: str, scenario: str) -> KnowledgeGraph:
    """Read what a module knows in a scenario.

    Raises:
        ConfigError: there is no such module, or an edge leads nowhere.
    """
    if module not in MODULES:
        raise ConfigError("committee", "module", repr(module), ", ".join(MODULES))
    path = files("apg_engine").joinpath("debates", "committee", "knowledge", f"{module}.json")
    return graph_from_dict(json.loads(path.read_text("utf-8")), scenario=scenario)


def graph_from_dict(data: Mapping[str, Any], *, scenario: str) -> KnowledgeGraph:
    """Read a graph from JSON; nodes of other scenarios are left out.

    Raises:
        ConfigError: an id stands twice, or an edge leads nowhere.
    """
    module = data["module"]
    everywhere = {_full(module, node["id"]) for node in data["nodes"]}
    if len(everywhere) != len(data["nodes"]):
        raise ConfigError(f"{module}.json", "nodes", "an id that stands twice", "each id once")
    nodes = tuple(
        Node(_full(module, row["id"]), NodeKind(row["kind"]), row["text"], row.get("saves", 0))
        for row in data["nodes"]
        if row.get("scenario", scenario) == scenario
    )
    edges = [_edge(row, module, everywhere) for row in data["edges"]]
    known = {node.id for node in nodes}
    return KnowledgeGraph(
        module=module,
        name=data["name"],
        mandate=data["mandate"],
        nodes=nodes,
        edges=tuple(edge for edge in edges if edge.source in known),
    )


def axioms_find(
    graph: KnowledgeGraph, about: Sequence[str], *, to: str = "", most: int, among: Iterable[str]
) -> tuple[Node, ...]:
    """Retrieve the nodes that bear on some texts: shared rare words, then one step of edges.

    Args:
        graph: the module's own.
        about: what was said or has happened.
        to: id of the module that is answered.
        most: how many to give.
        among: ids that may be given.
    """
    allowed = set(among)
    nodes = [node for node in graph.nodes if node.id in allowed]
    own = {node.id: content_of(words_in(node.text)) for node in nodes}
    common = Counter(word for words in own.values() for word in words)
    asked = content_of(word for text in about for word in words_in(text))
    score = {
        name: sum(math.log(1 + len(nodes) / common[word]) for word in words & asked)
        for name, words in own.items()
    }
    order = {node.id: place for place, node in enumerate(nodes)}
    ranked = sorted(nodes, key=lambda node: (-_spread(graph, node.id, score, to), order[node.id]))
    return tuple(ranked[:most])


def _spread(graph: KnowledgeGraph, name: str, score: Mapping[str, float], to: str) -> float:
    near = [
        score.get(edge.target if edge.source == name else edge.source, 0.0)
        for edge in graph.edges
        if name in {edge.source, edge.target}
    ]
    answers = any(
        edge.source == name and edge.target == to and edge.kind in {"answers", "opposes"}
        for edge in graph.edges
    )
    return score[name] + _NEIGHBOUR * max(near, default=0.0) + _ANSWER * answers


def _full(module: str, node: str) -> str:
    return f"{module}:{node}"


def _edge(row: Mapping[str, str], module: str, known: set[str]) -> Edge:
    target = row["to"] if row["to"] in MODULES else _full(module, row["to"])
    source = _full(module, row["from"])
    for end in (source, target):
        if end not in known and end not in MODULES:
            raise ConfigError(f"{module}.json", "edges", end, "a node of the file or a module")
    return Edge(source, target, row["kind"])
