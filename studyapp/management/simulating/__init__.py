"""Programs that take part as people do, with preferences that the analysis must find again."""
