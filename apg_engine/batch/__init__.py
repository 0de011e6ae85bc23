"""Many debates at once: tables that grow as runs end, and runs that go on where they stopped."""
