"""Cross-encoders for tests: one with a mind of its own, and the tokenizer of the bag model."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from apg_engine.auditors.nli_scoring import Pair, PairScores

SUPPORTS = PairScores(0.98, 0.01, 0.01)
REFUTES = PairScores(0.01, 0.98, 0.01)
NOTHING = PairScores(0.01, 0.01, 0.98)
BAG = Path(__file__).parent / "bag_model"


class RuleScorer:
    """Scores by a function of evidence and claim; a token is a word."""

    sha256 = "d" * 64

    def __init__(
        self, rule: Callable[[str, str], PairScores], *, name: str = "rule", longest: int = 256
    ) -> None:
        self._rule = rule
        self.name = name
        self.longest = longest
        self.seen: list[Pair] = []

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\S+", text)]

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        self.seen.extend(pairs)
        for pair in pairs:
            tokens = len(self.token_spans(pair.evidence)) + len(self.token_spans(pair.claim))
            assert tokens + 3 <= self.longest, "the auditor must not hand over what would be cut"
        return [self._rule(pair.evidence, pair.claim) for pair in pairs]


def bag_folder(folder: Path, *, longest_in_file: int | None = None) -> Path:
    """Write the bag model with its tokenizer into a folder of that name."""
    target = folder / "bag"
    target.mkdir(parents=True)
    shutil.copy(BAG / "model.onnx", target / "model.onnx")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "not", "really", "denied", "confirmed"]
    words += ["the", "pump", "draws", "9", "8", "mw", "fan", "rests", "it", "rains", "."]
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(words)}, "[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    if longest_in_file:
        # Published tokenizers come with settings of their training; they must not cut evidence.
        tokenizer.enable_truncation(longest_in_file)
        tokenizer.enable_padding(length=longest_in_file)
    tokenizer.save(str(target / "tokenizer.json"))
    return target
