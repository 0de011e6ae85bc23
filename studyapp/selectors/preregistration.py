"""What was written down at a study's launch, as it may be read now."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings

from studyapp.domain.seeds import seed_promise
from studyapp.models import Study
from studyapp.selectors.arm_key import seed_is_secret
from studyapp.selectors.preregistration_markdown import preregistration_markdown

FORMS = ("json", "md")


def preregistration_get(study_id: int) -> dict[str, Any] | None:
    """Return the preregistration as data, or None for a study that was never launched.

    `seed_sha256` is there from the launch on; `seed` and `seed_nonce`, which prove it, are null
    while the seed is secret.
    """
    study = Study.objects.get(pk=study_id)
    if study.preregistration is None:
        return None
    kept = dict(study.preregistration)
    nonce = kept.pop("seed_nonce")
    secret = seed_is_secret(study)
    return {
        **kept,
        "seed_sha256": seed_promise(study.seed, nonce=nonce),
        "seed": None if secret else study.seed,
        "seed_nonce": None if secret else nonce,
    }


def preregistration_file(study_id: int, form: str, *, language: str = "") -> bytes | None:
    """Return the preregistration as a file, `json` or `md`; None where there is none.

    Args:
        study_id: the study.
        form: `json` is the same in every language.
        language: of the Markdown's own words; where the site does not speak it, or none is asked
            for, the study's own, and English where the site does not speak that.

    Raises:
        KeyError: there is no such form.
    """
    write = {"json": _json, "md": _markdown}[form]
    found = preregistration_get(study_id)
    return None if found is None else write(found, language).encode()


def _markdown(found: dict[str, Any], asked: str) -> str:
    own = str(found["texts"].get("language", "en"))
    spoken = [code for code in (asked, own) if code in dict(settings.LANGUAGES)]
    return preregistration_markdown(found, language=[*spoken, "en"][0])


def _json(found: dict[str, Any], _language: str) -> str:
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
