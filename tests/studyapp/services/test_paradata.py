"""Reading totals and marks: kept once, at their highest, and never past the answers."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from studyapp.domain.reading import VIEWS_LIMIT, EvidenceMark, ReadingBatch, Replaced, Seen
from studyapp.errors import (
    AlreadyAnsweredError,
    BatchRefusedError,
    StepOrderError,
    StudyNotOpenError,
    TooEarlyError,
    UnknownLinkError,
)
from studyapp.models import (
    Assignment,
    Change,
    EvidenceLink,
    Exposure,
    Participant,
    Response,
    Study,
)
from studyapp.selectors.reading import marks_list, visible_ms
from studyapp.services.paradata import evidence_mark, reading_record
from studyapp.services.response import draft_save, pair_open, response_record, trial_open
from tests.parallel import at_once
from tests.sample_study import THEN, sample_study
from tests.studyapp.answering import person_enrolled

VIEW = "view0000"
FULL = {
    "act_on": "left",
    "faithful": "both",
    "fluent": "right",
    "trust.left": "5",
    "trust.right": "1",
    "fluency.left": "3",
    "fluency.right": "4",
}


class Reader:
    """Somebody in the first trial, an hour after enrolling."""

    def __init__(self, **rules: object) -> None:
        sample = sample_study()
        Study.objects.update(rules=rules)
        self.person = person_enrolled(sample, number=0)
        self.trial = self.person.assignments.earliest("order")
        self.ids = {"participant": self.person.token, "trial": self.trial.token}
        self.at = THEN + timedelta(hours=1)

    def later(self, seconds: int) -> Reader:
        self.at += timedelta(seconds=seconds)
        return self

    def opens(self) -> Reader:
        trial_open(**self.ids, now=self.at)
        return self

    def pairs(self) -> Reader:
        pair_open(**self.ids, now=self.at)
        return self

    def reports(
        self, *seen: Seen, view: str = VIEW, device: str = "", changed: tuple[Replaced, ...] = ()
    ) -> Reader:
        batch = ReadingBatch(view, device, seen, changed)
        reading_record(**self.ids, batch=batch, now=self.at)
        return self

    def marks(self, relation: str, *, address: str = "T1", side: str = "left") -> Reader:
        evidence_mark(**self.ids, mark=EvidenceMark(address, side, relation), now=self.at)
        return self

    def answers(self, **changes: str) -> Reader:
        response_record(**self.ids, sent={**FULL, **changes}, now=self.at)
        return self


@pytest.fixture
def reader(db: None) -> Reader:
    return Reader(evidence_links=True).opens().later(600)


def test_the_larger_total_stays(reader: Reader) -> None:
    reader.reports(Seen("T1", 5000, 40)).reports(Seen("T1", 3000, 60), Seen("T2", 10, 1))
    rows = {row.item: (row.visible_ms, row.scrolled) for row in Exposure.objects.all()}
    assert rows == {"T1": (5000, 60), "T2": (10, 1)}


def test_a_batch_that_comes_twice_changes_nothing(reader: Reader) -> None:
    changed = (Replaced(1, "act_on", "left", 10), Replaced(2, "act_on", "right", 20))
    for _ in range(2):
        reader.reports(Seen("T1", 5000, 40), changed=changed)
    assert Exposure.objects.count() == 1
    assert [row.value for row in Change.objects.all()] == ["left", "right"]
    assert {row.field for row in Change.objects.all()} == {"act_on"}


def test_views_add_up(reader: Reader) -> None:
    reader.reports(Seen("T1", 5000, 40)).reports(Seen("T1", 2000, 70), view="view1111")
    assert visible_ms(reader.trial.pk, "T1") == 7000


def test_nobody_reads_longer_than_the_debate_is_open(reader: Reader) -> None:
    reader.reports(Seen("page:debate", 86_400_000, 100))
    assert Exposure.objects.get().visible_ms == 605_000


def test_the_first_device_stays(reader: Reader) -> None:
    reader.reports(device="phone").reports(device="desktop")
    assert Participant.objects.get().device == "phone"


def test_views_are_limited(reader: Reader) -> None:
    for number in range(VIEWS_LIMIT):
        reader.reports(Seen("T1", 1, 1), view=f"view{number:04d}")
    with pytest.raises(BatchRefusedError):
        reader.reports(Seen("T1", 1, 1), view="onemore1")
    reader.reports(Seen("T1", 9, 9), view="view0001")
    assert Exposure.objects.count() == VIEWS_LIMIT


def test_nothing_is_read_before_the_debate_is_opened(db: None) -> None:
    with pytest.raises(StepOrderError):
        Reader().reports(Seen("T1", 1, 1))


def test_paradata_ends_with_the_answers(reader: Reader) -> None:
    reader.pairs().answers()
    with pytest.raises(AlreadyAnsweredError):
        reader.reports(Seen("T1", 1, 1))
    with pytest.raises(AlreadyAnsweredError):
        reader.marks("supports")
    assert Exposure.objects.count() == EvidenceLink.objects.count() == 0


def test_a_stranger_and_a_closed_study_store_nothing(reader: Reader) -> None:
    with pytest.raises(UnknownLinkError):
        reading_record(
            participant="x",
            trial=reader.trial.token,
            batch=ReadingBatch(VIEW, "", (Seen("T1", 1, 1),), ()),
            now=reader.at,
        )
    Study.objects.update(state="closed")
    with pytest.raises(StudyNotOpenError):
        reader.reports(Seen("T1", 1, 1))
    assert Exposure.objects.count() == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_batches_of_several_tabs_at_once_all_arrive() -> None:
    reader = Reader().opens().later(600)
    batches = [
        ReadingBatch(VIEW, "", (Seen("T1", 1000 * number, number), Seen("T2", number, 1)), ())
        for number in range(1, 9)
    ]
    at_once(
        [partial(reading_record, **reader.ids, batch=batch, now=reader.at) for batch in batches]
    )
    assert {row.item: row.visible_ms for row in Exposure.objects.all()} == {"T1": 8000, "T2": 8}


def test_a_mark_is_stored_once_replaced_and_removed(reader: Reader) -> None:
    reader.pairs().marks("supports").marks("supports").marks("contradicts")
    reader.marks("supports", address="T2", side="right")
    marks = marks_list(reader.trial.token, writer="")
    assert [(row.address, row.side, row.relation) for row in marks] == [
        ("T1", "left", "contradicts"),
        ("T2", "right", "supports"),
    ]
    for _ in range(2):
        reader.marks("")
    assert EvidenceLink.objects.get().address == "T2"


def test_marks_come_with_the_pair_and_only_where_the_study_asks(reader: Reader) -> None:
    with pytest.raises(StepOrderError):
        reader.marks("supports")
    Study.objects.update(rules={})
    reader.pairs()
    with pytest.raises(StepOrderError):
        reader.marks("supports")
    assert EvidenceLink.objects.count() == 0


def test_the_debate_is_left_after_its_least_visible_time(db: None) -> None:
    reader = Reader(debate_seconds=60).opens().later(600)
    reader.reports(Seen("page:debate", 20_000, 100))
    with pytest.raises(TooEarlyError) as caught:
        reader.pairs()
    assert caught.value.seconds == 40
    reader.reports(Seen("page:debate", 60_000, 100)).pairs()
    assert Assignment.objects.get(pk=reader.trial.pk).pair_opened_at == reader.at


def test_without_script_the_time_since_opening_counts(db: None) -> None:
    reader = Reader(debate_seconds=60, reports_seconds=30).opens().later(20)
    with pytest.raises(TooEarlyError):
        reader.pairs()
    reader.later(40).pairs().later(10)
    with pytest.raises(TooEarlyError) as caught:
        reader.answers()
    assert caught.value.seconds == 20
    assert Response.objects.count() == 0
    reader.later(20).answers()
    assert Response.objects.count() == 7


def test_who_has_opened_the_pair_may_go_back_and_forth(db: None) -> None:
    reader = Reader(debate_seconds=60).opens().later(60).pairs()
    reader.reports(Seen("page:debate", 1, 1)).pairs()


def test_a_changed_answer_of_a_browser_without_script_is_noted(db: None) -> None:
    reader = Reader().opens().later(5).pairs()
    draft_save(**reader.ids, sent={"act_on": "left", "comment": "So"}, now=reader.at)
    reader.later(7).answers(act_on="right", comment="Other")
    change = Change.objects.get()
    assert (change.field, change.value, change.view, change.after_ms) == (
        "act_on",
        "left",
        "server",
        7000,
    )
    assert Response.objects.get(measure="act_on").value == "right"


def test_a_page_with_script_reports_its_changes_itself(db: None) -> None:
    reader = Reader().opens().later(5).pairs()
    draft_save(**reader.ids, sent={"act_on": "left", "reading": "draft"}, now=reader.at)
    reader.answers(act_on="right", reading="{}")
    assert Change.objects.count() == 0


def test_views_without_anything_seen_are_counted_as_well(reader: Reader) -> None:
    change = Replaced(sequence=1, field="act_on", value="left", after_ms=5)
    for number in range(VIEWS_LIMIT):
        reader.reports(view=f"flood{number:03d}", changed=(change,))
    with pytest.raises(BatchRefusedError):
        reader.reports(view="onetoomany", changed=(change,))
    assert Change.objects.count() == VIEWS_LIMIT


def test_only_changes_of_offered_answers_are_kept(reader: Reader) -> None:
    forged = [("act_on", "a secret"), ("comment", "what was deleted"), ("nowhere", "left")]
    rows = [*forged, ("act_on", "left"), ("comment", "")]
    reader.reports(
        changed=tuple(Replaced(place, *row, 5) for place, row in enumerate(rows, start=1))
    )
    kept = Change.objects.order_by("sequence").values_list("field", "value")
    assert list(kept) == [("act_on", "left"), ("comment", "")]
