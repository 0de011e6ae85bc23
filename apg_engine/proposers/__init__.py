"""Who writes drafts: a language model, or the offline rules."""
