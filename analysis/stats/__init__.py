"""Statistics of paired ratings and choices: numbers in, numbers out."""
