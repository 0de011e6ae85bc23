from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from apg_engine import CallRecord, GateConfig, MemoryJournal, ModelSpec, gate, models_from_config
from apg_engine.calls import Usage
from apg_engine.cli.parser import main
from apg_engine.journal import request_hash
from apg_engine.spending.budget import Amount, Budget, BudgetSpentError, GuardedJournal, Limits
from apg_engine.spending.pace import Pace
from apg_engine.spending.prices import Price, PriceError, PriceTable, prices_packaged, prices_read
from apg_engine.spending.spent import calls_spent
from tests.apg_engine.provenance.runs import trace_file
from tests.apg_engine.traces_for_tests import two_sided
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible

GOOGLE = "https://generativelanguage.googleapis.com/v1beta/openai/"
NO_PRICES = PriceTable("USD", ())


def record(
    number: int = 1,
    usage: Usage = Usage(1000, 100),  # noqa: B008 (frozen)
    *,
    name: str = "gemini-3.1-pro-preview",
    url: str = GOOGLE,
    seconds: float | None = 1.5,
) -> CallRecord:
    request: dict[str, Any] = {
        "model": {"kind": "openai", "name": name, "base_url": url},
        "messages": [{"role": "user", "content": "hello"}],
    }
    return CallRecord(
        number, "auditor", request_hash(request), request, "yes", "ok", usage=usage, seconds=seconds
    )


def test_the_papers_two_models_have_a_price_with_source_and_day() -> None:
    config = GateConfig.preset("paper")
    for spec in (config.proposer, config.auditor):
        price = prices_packaged().find(model=spec.name, base_url=spec.base_url)
        assert price is not None
        assert price.source.startswith("https://")
        assert len(price.read_on) == 10


def test_long_prompts_cost_the_long_price() -> None:
    price = prices_packaged().find(model="gemini-3.1-pro-preview", base_url=GOOGLE)
    assert price is not None

    assert price.cost(Usage(200_000, 1000)) == pytest.approx(0.2 * 2 + 0.001 * 12)
    assert price.cost(Usage(200_001, 1000)) == pytest.approx(0.200001 * 4 + 0.001 * 18)


@pytest.mark.parametrize(
    "unknown",
    [
        record(name="another-model"),
        record(url="http://127.0.0.1:8080/v1"),
        record(usage=Usage()),
        record(usage=Usage(5, None)),
    ],
)
def test_an_unknown_price_or_count_makes_the_sum_unknown_and_never_zero(
    unknown: CallRecord,
) -> None:
    spent = calls_spent([record(), unknown], prices=prices_packaged())

    assert spent.cost is None
    assert (spent.calls, spent.priced) == (2, 1)


def test_calls_are_added_up() -> None:
    spent = calls_spent([record(1), record(2)], prices=prices_packaged())

    assert (spent.prompt_tokens, spent.completion_tokens, spent.seconds) == (2000, 200, 3.0)
    assert spent.cost == pytest.approx(2 * (0.002 + 0.0012))


def test_rules_cost_nothing_and_are_no_calls() -> None:
    config, journal = GateConfig(), MemoryJournal()
    gate(
        two_sided(),
        config=config,
        models=models_from_config(config, environment={}),
        journal=journal,
    )

    assert calls_spent(journal.records, prices=NO_PRICES).calls == 0
    assert calls_spent(journal.records, prices=NO_PRICES).cost == 0


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"input_per_million": -1}, "input_per_million"),
        ({"input_per_million": "2"}, "input_per_million"),
        ({"output_per_million": float("inf")}, "output_per_million"),
        ({"output_per_million": 10**400}, "output_per_million"),
        ({"model": ""}, "model"),
        ({"source": None}, "source"),
        ({"colour": "red"}, "prices[0]"),
    ],
)
def test_a_bad_price_is_refused_with_its_place(
    change: dict[str, object], place: str, tmp_path: Path
) -> None:
    row = {
        "host": "h", "model": "m", "input_per_million": 1, "output_per_million": 1,
        "source": "s", "read_on": "2026-01-01",
    }  # fmt: skip
    path = tmp_path / "prices.json"
    data = {"schema": "apg-prices", "currency": "EUR", "prices": [row]}
    path.write_text(json.dumps(data))
    assert prices_read(path).prices[0].model == "m"
    path.write_text(json.dumps({**data, "prices": [{**row, **change}]}))

    with pytest.raises(PriceError) as caught:
        prices_read(path)
    assert place in caught.value.place


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": "apg-prices"}'])
def test_another_file_is_no_table_of_prices(content: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    with pytest.raises(PriceError, match=r"prices\.json"):
        prices_read(path)
    path.write_text(content)
    with pytest.raises(PriceError, match=r"prices\.json"):
        prices_read(path)


def guarded(journal: MemoryJournal, budget: Budget, tokens: int = 0) -> GuardedJournal:
    return GuardedJournal(journal, budget=budget, estimate=Amount(1, tokens, 0.0), prices=NO_PRICES)


def test_a_call_beyond_the_budget_is_not_sent_and_a_larger_one_goes_on() -> None:
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        config = GateConfig(proposer=spec, auditor=spec)
        models = models_from_config(config, environment={})
        journal = MemoryJournal()
        with pytest.raises(BudgetSpentError, match="3 calls") as caught:
            gate(
                two_sided(),
                config=config,
                models=models,
                journal=guarded(journal, Budget(Limits(calls=3))),
            )
        assert caught.value.limit == "calls"
        assert server.calls == len(journal.records) == 3

        budget = Budget(Limits(calls=6))
        result = gate(two_sided(), config=config, models=models, journal=guarded(journal, budget))
        assert server.calls == 6
        assert budget.used.calls == 6
        assert result.outcome == "divergence"


def test_unknown_usage_counts_as_the_estimate() -> None:
    budget = Budget(Limits(tokens=250))
    journal = guarded(MemoryJournal(), budget, tokens=100)
    for number in (1, 2):
        assert journal.find(number) is None
        journal.append(record(number, Usage()))

    assert budget.used.tokens == 200
    with pytest.raises(BudgetSpentError, match="tokens"):
        journal.find(3)


def test_what_was_not_used_of_a_reservation_is_free_again() -> None:
    budget = Budget(Limits(tokens=3000))
    journal = guarded(MemoryJournal(), budget, tokens=2500)
    assert journal.find(1) is None
    journal.append(record(1, Usage(300, 100)))
    assert journal.find(2) is None
    journal.release()

    assert budget.used.tokens == 400
    assert journal.find(2) is None


def test_a_cost_limit_counts_known_prices() -> None:
    table = PriceTable("USD", (Price("h", "m", 10.0, 10.0, "s", "2026-01-01"),))
    budget = Budget(Limits(cost=0.02))
    journal = GuardedJournal(
        MemoryJournal(), budget=budget, estimate=Amount(1, 0, 0.011), prices=table
    )
    assert journal.find(1) is None
    journal.append(record(1, Usage(900, 100), name="m", url="http://h/v1"))

    assert budget.used.cost == pytest.approx(0.01)
    with pytest.raises(BudgetSpentError, match="cost"):
        journal.find(2)


def test_threads_never_reserve_more_than_there_is() -> None:
    budget = Budget(Limits(calls=50))
    refused: list[BudgetSpentError] = []

    def work() -> None:
        for _ in range(20):
            try:
                budget.reserve(Amount(calls=1))
            except BudgetSpentError as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(refused) == 8 * 20 - 50


def test_a_pace_gives_each_caller_a_moment_of_its_own() -> None:
    waits: list[float] = []
    pace = Pace(30, clock=lambda: 100.0, sleep=waits.append)
    for _ in range(4):
        pace.take()

    assert waits == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("rate", [0, -1, float("nan")])
def test_a_pace_of_nothing_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        Pace(rate, clock=lambda: 0.0, sleep=lambda _: None)


def test_the_time_of_a_call_is_recorded_with_it() -> None:
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        config = GateConfig(proposer=spec, auditor=spec, pairs=1)
        journal = MemoryJournal()
        models = models_from_config(config, environment={})
        gate(two_sided(), config=config, models=models, journal=journal)

    assert all(one.seconds is not None and one.seconds >= 0 for one in journal.records)
    assert calls_spent(journal.records, prices=NO_PRICES).seconds is not None


def test_the_gate_stops_at_its_budget_and_goes_on_with_a_larger_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    debate, out = trace_file(tmp_path / "d.json", two_sided()), tmp_path / "out"
    with FakeOpenAI(plausible) as server:
        arguments = [
            "gate", str(debate), "--out", str(out),
            "--proposer", "m", "--proposer-base-url", server.base_url,
            "--auditor", "n", "--auditor-base-url", server.base_url,
        ]  # fmt: skip
        assert main([*arguments, "--max-calls", "2"], environment={}) == 4
        assert "budget of 2 calls is spent" in capsys.readouterr().err
        assert not (out / "result.json").exists()
        assert main([*arguments, "--max-calls", "6"], environment={}) == 3
        assert server.calls == 6

    told = capsys.readouterr().out
    assert "model calls: 6" in told
    assert "cost unknown" in told
