"""People judge the sentences of runs, blind, and what they agree on becomes a card."""
