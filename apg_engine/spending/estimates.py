"""What the next call may take at most, told before it is made."""

from __future__ import annotations

from apg_engine.config import GateConfig
from apg_engine.records import Trace
from apg_engine.spending.budget import Amount
from apg_engine.spending.prices import PriceTable

# Where nothing better is known: few tokenisers make more tokens of a prompt than this.
_CHARACTERS_PER_TOKEN = 3


def call_estimate(config: GateConfig, trace: Trace, *, prices: PriceTable) -> Amount:
    """Give the most one call of a run should take: the whole debate in, the limit out."""
    specs = [spec for spec in (config.proposer, config.auditor) if spec.kind == "openai"]
    prompt = trace_size(trace) // _CHARACTERS_PER_TOKEN
    most = max((spec.max_tokens for spec in specs), default=0)
    found = [prices.find(model=spec.name, base_url=spec.base_url) for spec in specs]
    costs = [
        (prompt * price.input_per_million + most * price.output_per_million) / 1_000_000
        for price in found
        if price is not None
    ]
    return Amount(calls=1, tokens=prompt + most, cost=max(costs, default=0.0))


def trace_size(trace: Trace) -> int:
    """Give the characters a debate puts into a prompt."""
    texts = [trace.crisis_context, *(turn.text + turn.private_trace for turn in trace.turns)]
    texts += [document.text for document in trace.documents]
    return sum(map(len, texts))
