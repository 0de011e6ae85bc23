"""The operators' view of the tables. Researchers have pages of their own."""
