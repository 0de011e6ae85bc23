"""The embedded broker: messages appear whole, are taken once, and a bad one stops nobody."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from studyapp.broker import broker_options, broker_register

broker_register()
_MESSAGES = 400


def _queue(folder: Path) -> str:
    # kombu remembers bindings per process, so each test's folder has a queue of its own name.
    return f"work-{folder.name}"


def _connection(folder: Path) -> Connection:
    return Connection("filesystem://localhost", transport_options=broker_options(folder))


def _send(folder: Path, sender: int) -> None:
    with _connection(folder) as connection, connection.SimpleQueue(_queue(folder)) as queue:
        for number in range(_MESSAGES):
            queue.put({"sender": sender, "number": number, "load": "x" * 4096})


def _receive(folder: Path, results: Any) -> None:
    received: list[tuple[int, int]] = []
    with _connection(folder) as connection, connection.SimpleQueue(_queue(folder)) as queue:
        while len(received) < _MESSAGES:
            try:
                message = queue.get(timeout=3)
            except Empty:
                break
            received.append((message.payload["sender"], message.payload["number"]))
            message.ack()
    results.put(received)


@pytest.mark.slow
@pytest.mark.timeout(90)
def test_every_message_of_two_senders_reaches_one_of_two_receivers_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results: Any = context.Queue()
    senders = [context.Process(target=_send, args=(tmp_path, number)) for number in range(2)]
    receivers = [context.Process(target=_receive, args=(tmp_path, results)) for _ in range(2)]
    for process in (*receivers, *senders):
        process.start()
    received = [pair for _ in receivers for pair in results.get(timeout=80)]
    for process in (*senders, *receivers):
        process.join()
    expected = {(sender, number) for sender in range(2) for number in range(_MESSAGES)}
    assert len(received) == len(set(received)) == 2 * _MESSAGES
    assert set(received) == expected


def test_messages_come_in_the_order_they_were_sent(tmp_path: Path) -> None:
    with _connection(tmp_path) as connection, connection.SimpleQueue(_queue(tmp_path)) as queue:
        for number in range(5):
            queue.put({"number": number})
        assert [queue.get(timeout=1).payload["number"] for _ in range(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("content", ["", '{"body": "cut o'])
def test_a_message_that_cannot_be_read_is_set_aside_and_the_next_one_comes(
    tmp_path: Path, content: str
) -> None:
    with _connection(tmp_path) as connection, connection.SimpleQueue(_queue(tmp_path)) as queue:
        name = f"00000000000000000000_broken.{_queue(tmp_path)}.msg"
        (tmp_path / "queue" / name).write_text(content)
        queue.put({"number": 1})
        assert queue.get(timeout=1).payload == {"number": 1}
    assert (tmp_path / "taken" / name).read_text() == content


def test_a_message_under_way_is_not_seen(tmp_path: Path) -> None:
    with _connection(tmp_path) as connection, connection.SimpleQueue(_queue(tmp_path)) as queue:
        (tmp_path / "queue" / ".half-written.part").write_text('{"body"')
        with pytest.raises(Empty):
            queue.get(timeout=0.3)


def test_an_unacknowledged_message_comes_back_when_its_reader_ends(tmp_path: Path) -> None:
    with _connection(tmp_path) as connection, connection.SimpleQueue(_queue(tmp_path)) as queue:
        queue.put({"number": 1})
        queue.get(timeout=1)
    with _connection(tmp_path) as connection, connection.SimpleQueue(_queue(tmp_path)) as queue:
        assert queue.get(timeout=1).payload == {"number": 1}
