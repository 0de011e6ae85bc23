"""The forms that ask for a debate: a committee's, or trials of one or several claims."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from studyapp.errors import EvidenceRefusedError
from studyapp.pages.researcher_forms import DefinitionField
from studyapp.selectors.debate_choices import (
    EMBEDDERS,
    KINDS,
    PRESETS,
    SCENARIOS,
    Caps,
    CommitteeWish,
    TrialWish,
    claims_read,
)

_INPUT = {"class": "input"}
_SEED_MOST = 2**31 - 1
_PARTIES = 3
_SCENARIO_WORDS = {
    "energy": _("Energy: 60 MWh for three loads"),
    "biocontainment": _("Biocontainment: 120 filter sets for three sites"),
    "orbital": _("Orbital traffic: 240 kg of propellant for three operators"),
}
_KIND_WORDS = {
    "epistemic_shift": _("Epistemic shift: a figure turns out to be another one"),
    "cascading_risk": _("Cascading risk: one failure brings the next"),
    "zero_sum": _("Zero-sum: one party's gain is another's loss; makes the conflict high"),
    "ad_hominem": _("Ad hominem: an attack on a party, which changes no figure"),
}
_PRESET_WORDS = {
    "proclaim": _("proclaim: as the paper describes it"),
    "proclaim_as_released": _("proclaim_as_released: with the departures of its released code"),
}
_EMBEDDER_WORDS = {
    "words": _("Shared words, counted by rules; synonyms are strangers"),
    "minilm": _("all-MiniLM-L6-v2, a small model on the server, if it is installed there"),
}


class DebateForm(forms.Form):
    """What both systems ask: who speaks, the seed, and the most it may use."""

    speakers = forms.ChoiceField(
        label=_("Who speaks"),
        choices=(
            ("rules", _("Offline rules: no language model, free, the same every time")),
            ("paper", _("The paper's proposer model: paid, needs GEMINI_API_KEY on the server")),
        ),
        initial="rules",
        widget=forms.RadioSelect,
    )
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=_SEED_MOST, widget=forms.NumberInput(attrs=_INPUT)
    )
    max_calls = forms.IntegerField(
        label=_("Most calls of a model"),
        required=False,
        min_value=1,
        max_value=100_000,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    max_tokens = forms.IntegerField(
        label=_("Most tokens"),
        required=False,
        min_value=1,
        max_value=10**9,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    max_cost = forms.FloatField(
        label=_("Most money, in US dollars"),
        help_text=_("Reserved before each call. At a limit the debate ends and says so."),
        required=False,
        min_value=0,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    cap_fields = ("max_calls", "max_tokens", "max_cost")

    @property
    def main(self) -> list[forms.BoundField]:
        """The fields that stand open."""
        return [field for field in self if field.name not in self.cap_fields]

    @property
    def caps_shown(self) -> list[forms.BoundField]:
        """The fields of the limits."""
        return [self[name] for name in self.cap_fields]

    @property
    def has_cap_errors(self) -> bool:
        """Whether something is wrong among the limits, so that they stand open too."""
        return any(name in self.errors for name in self.cap_fields)

    def caps(self) -> Caps:
        """Return the limits."""
        given = self.cleaned_data
        return Caps(given["max_calls"], given["max_tokens"], given["max_cost"])


class CommitteeForm(DebateForm):
    """A debate of the crisis committee."""

    scenario = forms.ChoiceField(
        label=_("Situation"),
        choices=[(name, _SCENARIO_WORDS[name]) for name in SCENARIOS],
        initial=SCENARIOS[0],
        widget=forms.RadioSelect,
    )
    turns = forms.IntegerField(
        label=_("Turns"),
        help_text=_("A multiple of three from 3 to 90: all three parties speak equally often."),
        min_value=3,
        max_value=90,
        initial=12,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    shock_turns = forms.RegexField(
        label=_("News before the turns"),
        help_text=_("Numbers of turns with commas between them, such as 4, 8. Empty for no news."),
        regex=r"^\s*(\d{1,2}\s*(,\s*\d{1,2}\s*)*)?$",
        required=False,
        initial="4, 8",
        widget=forms.TextInput(attrs=_INPUT),
        error_messages={"invalid": _("Enter numbers of turns with commas between them")},
    )
    shock_kinds = forms.MultipleChoiceField(
        label=_("Kinds of news the seed draws from"),
        choices=[(name, _KIND_WORDS[name]) for name in KINDS],
        initial=list(KINDS),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one kind of news")},
    )
    enforcement = forms.ChoiceField(
        label=_("Claims that the record does not carry"),
        choices=(
            ("flag", _("are noted beside the turn")),
            ("repair", _("are sent back once, before the turn is admitted")),
            ("off", _("are not looked for")),
        ),
        initial="flag",
        widget=forms.RadioSelect,
    )
    field_order = ("scenario", "turns", "shock_turns", "shock_kinds", "enforcement", "speakers")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Say what the seed draws here."""
        super().__init__(*args, **kwargs)
        self.fields["seed"].initial = 126
        self.fields["seed"].help_text = _(
            "Draws the news and the wording of rules; the same seed gives rules the same debate."
        )

    def clean_turns(self) -> int:
        """Share the turns out among the parties."""
        turns: int = self.cleaned_data["turns"]
        if turns % _PARTIES:
            raise forms.ValidationError(
                _("Enter a multiple of three, so that all parties speak equally often")
            )
        return turns

    def clean_shock_turns(self) -> list[int]:
        """Read the numbers of the turns."""
        given = [int(turn) for turn in self.cleaned_data["shock_turns"].split(",") if turn.strip()]
        if given != sorted(set(given)) or 0 in given:
            raise forms.ValidationError(_("Enter each turn once, in order, from 1 on"))
        return given

    def wish(self) -> CommitteeWish:
        """Return what was chosen."""
        given = self.cleaned_data
        return CommitteeWish(
            scenario=given["scenario"],
            seed=given["seed"],
            turns=given["turns"],
            shock_turns=tuple(given["shock_turns"]),
            shock_kinds=tuple(given["shock_kinds"]),
            enforcement=given["enforcement"],
            speakers=given["speakers"],
            caps=self.caps(),
        )


class TrialForm(DebateForm):
    """Trials of claims, with evidence from a corpus."""

    claim = forms.CharField(
        label=_("Claim"),
        help_text=_("One sentence that documents may support or refute."),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"class": "input", "rows": 3}),
    )
    claims = DefinitionField(
        label=_("Or a file of claims"),
        help_text=_(
            "JSON Lines with the field claim, as Check-COVID has them. Each is tried in a debate "
            "of its own, 20 at most."
        ),
        required=False,
    )
    corpus = DefinitionField(
        label=_("Documents"),
        help_text=_(
            "JSON Lines: an object a line with id, text, and title if there is one; cord_id and "
            "abstract will do as well."
        ),
        error_messages={"required": _("Choose a file of documents")},
    )
    embedder = forms.ChoiceField(
        label=_("How documents are searched"),
        choices=[(name, _EMBEDDER_WORDS[name]) for name in EMBEDDERS],
        initial=EMBEDDERS[0],
        widget=forms.RadioSelect,
    )
    preset = forms.ChoiceField(
        label=_("Preset"),
        choices=[(name, _PRESET_WORDS[name]) for name in PRESETS],
        initial=PRESETS[0],
        widget=forms.RadioSelect,
    )
    rounds = forms.IntegerField(
        label=_("Most rounds"),
        min_value=1,
        max_value=30,
        initial=10,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    field_order = ("claim", "claims", "corpus", "embedder", "preset", "rounds", "speakers")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Say what the seed draws here, and which files are offered."""
        super().__init__(*args, **kwargs)
        self.fields["seed"].initial = 0
        self.fields["seed"].help_text = _("Draws which side a judge reads as the first.")
        for name in ("claims", "corpus"):
            self.fields[name].widget.attrs["accept"] = ".jsonl,.json"

    def clean(self) -> dict[str, Any]:
        """Take the claim that was typed, or those of the file."""
        cleaned = super().clean() or {}
        claim, file = " ".join(cleaned.get("claim", "").split()), cleaned.get("claims")
        if bool(claim) == (file is not None) and "claims" not in self.errors:
            self.add_error("claim", _("Enter a claim or choose a file of claims, one of the two"))
        elif file is not None:
            self._read(file)
        else:
            cleaned["claims"] = [claim]
        return cleaned

    def wish(self) -> TrialWish:
        """Return what was chosen besides claims and documents."""
        given = self.cleaned_data
        return TrialWish(
            preset=given["preset"],
            seed=given["seed"],
            rounds=given["rounds"],
            speakers=given["speakers"],
            embedder=given["embedder"],
            caps=self.caps(),
        )

    def _read(self, file: Any) -> None:
        try:
            self.cleaned_data["claims"] = claims_read(file.data, file_name=file.name)
        except EvidenceRefusedError as error:
            self.add_error("claims", str(error))
