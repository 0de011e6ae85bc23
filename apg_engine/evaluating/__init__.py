"""How good a system is on claims whose answers are known, beside what it cost."""
