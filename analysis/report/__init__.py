"""How results are shown: terminal, JSON, Markdown, HTML, PDF and figures."""
