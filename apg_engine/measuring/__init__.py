"""Measure an auditor: cases of known truth, planted ones among them, controls, and its card."""
