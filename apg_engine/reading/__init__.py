"""What rules can read from a corpus: totals, demands, recommendations, sentences to quote."""
