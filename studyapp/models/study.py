"""Studies, their cohorts and their scenarios."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from studyapp.domain.seeds import seed_of_pilot
from studyapp.domain.tokens import token_new
from studyapp.models.corpus import DebateTrace
from studyapp.models.generation import GenerationRun
from studyapp.models.stimulus import StimulusPair


class StudyKind(models.TextChoices):
    """What a study is for. The bundled demo study is a conceptual replication with test data."""

    STUDY = "study"
    DEMO = "demo"


class StudyState(models.TextChoices):
    """Where a study stands; the allowed moves are a table in studyapp.domain.states."""

    DRAFT = "draft"
    PILOTING = "piloting"
    OPEN = "open", "live"
    PAUSED = "paused"
    CLOSED = "closed"
    ARCHIVED = "archived"


class Study(models.Model):
    """One design: what is compared, what is asked, and in which random order.

    `background` holds the questions asked once per participant, `measures` those asked once per
    pair, `screening` those that decide who may take part, `texts` the consent and instruction
    texts, `translations` all of these in further languages, `rules` how taking part works, `plan`
    what was decided beforehand about the analysis; all as their domain modules read them. `quota`
    caps the places of all cohorts together. `owner` created it; who may do what says `StudyMember`.
    `family` is the slug of a later version's first version, and empty in that one.
    `preregistration` is what was written down at launch, as its domain module reads it.
    """

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True
    )
    state = models.CharField(max_length=16, choices=StudyState, default=StudyState.DRAFT)
    kind = models.CharField(max_length=16, choices=StudyKind, default=StudyKind.STUDY)
    is_test = models.BooleanField(default=False)
    reference_arm = models.SlugField(max_length=40, default="baseline")
    treatment_arm = models.SlugField(max_length=40, default="apg")
    seed = models.BigIntegerField()
    measures = models.JSONField()
    background = models.JSONField(default=list, blank=True)
    screening = models.JSONField(default=list, blank=True)
    texts = models.JSONField(default=dict)
    translations = models.JSONField(default=dict, blank=True)
    rules = models.JSONField(default=dict, blank=True)
    quota = models.PositiveIntegerField(null=True, blank=True)
    plan = models.JSONField(default=dict, blank=True)
    family = models.SlugField(max_length=80, blank=True)
    version = models.PositiveSmallIntegerField(default=1)
    design_sha256 = models.CharField(max_length=64, blank=True)
    preregistration = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "studies"
        constraints = (
            models.CheckConstraint(
                name="study_arms_differ",
                condition=~models.Q(reference_arm=models.F("treatment_arm")),
            ),
            models.CheckConstraint(
                name="study_state_known", condition=models.Q(state__in=StudyState.values)
            ),
            models.CheckConstraint(
                name="study_later_version_has_its_family",
                condition=models.Q(family="", version=1)
                | (~models.Q(family="") & models.Q(version__gt=1)),
            ),
            models.UniqueConstraint(
                fields=("family", "version"),
                condition=~models.Q(family=""),
                name="study_version_once",
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def family_slug(self) -> str:
        """The slug of the first version, which all versions share."""
        return self.family or self.slug

    @property
    def versioned_title(self) -> str:
        """The title that exports and reports print: from the second version on it says which."""
        return self.title if self.version == 1 else f"{self.title} (version {self.version})"

    @property
    def takes_test_data(self) -> bool:
        """Whether everybody who enters now is in the test lane."""
        return self.is_test or self.state == StudyState.PILOTING

    @property
    def draw_seed(self) -> int:
        """The seed of whatever is drawn now; a pilot has its own, as its key is never sealed."""
        return seed_of_pilot(self.seed) if self.state == StudyState.PILOTING else self.seed


class CohortKind(models.TextChoices):
    """Who the participants of a cohort are; comparisons between cohorts name it."""

    OPEN = "open"
    CROWD = "crowd"
    STUDENTS = "students"
    EXPERTS = "experts"


class LinkKind(models.TextChoices):
    """How people come into a cohort."""

    OPEN = "open"
    BROWSER = "browser"
    PERSONAL = "personal"
    PANEL = "panel"


class CohortState(models.TextChoices):
    """Whether a cohort takes newcomers while its study is open."""

    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class Cohort(models.Model):
    """A group of participants with a way in, and questions and rules of its own.

    `enrolled` is the highest number of its live places, `enrolled_test` that of its test places.
    `background` replaces the study's questions unless it is null; `instructions` come after the
    study's; `panel` and `time_pressure` are read by their domain modules.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="cohorts")
    name = models.SlugField(max_length=40, default="open")
    kind = models.CharField(max_length=16, choices=CohortKind, default=CohortKind.OPEN)
    state = models.CharField(max_length=16, choices=CohortState, default=CohortState.OPEN)
    token = models.CharField(max_length=32, unique=True, default=token_new)
    link_kind = models.CharField(max_length=16, choices=LinkKind, default=LinkKind.BROWSER)
    panel = models.JSONField(default=dict, blank=True)
    background = models.JSONField(null=True, blank=True)
    instructions = models.TextField(blank=True)
    time_pressure = models.JSONField(default=dict, blank=True)
    quota = models.PositiveIntegerField(null=True, blank=True)
    enrolled = models.PositiveIntegerField(default=0)
    enrolled_test = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("study", "name"), name="cohort_name_once_per_study"),
            models.CheckConstraint(
                name="cohort_within_quota",
                condition=models.Q(quota__isnull=True) | models.Q(enrolled__lte=models.F("quota")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.study}: {self.name}"


class Scenario(models.Model):
    """One debate of a study: its trace from the start, its run and its pair once they exist.

    A study opens only when every scenario has a pair, so participants never meet one without.
    Participants read `title`; where it is empty they read the number of the debate.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="scenarios")
    trace = models.ForeignKey(DebateTrace, on_delete=models.PROTECT, related_name="scenarios")
    run = models.ForeignKey(
        GenerationRun,
        on_delete=models.PROTECT,
        related_name="scenarios",
        null=True,
        blank=True,
    )
    pair = models.ForeignKey(
        StimulusPair,
        on_delete=models.PROTECT,
        related_name="scenarios",
        null=True,
        blank=True,
    )
    key = models.SlugField(max_length=40)
    title = models.CharField(max_length=200, blank=True)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("study", "position")
        constraints = (
            models.UniqueConstraint(fields=("study", "key"), name="scenario_key_once_per_study"),
            models.UniqueConstraint(
                fields=("study", "position"), name="scenario_position_once_per_study"
            ),
        )

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """What researchers read; never for participants, as a trace's title may be a run's id."""
        return self.title or self.trace.title
