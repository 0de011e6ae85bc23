"""Labelled cases made from a debate: its own sentences, and the same with one fault planted."""
