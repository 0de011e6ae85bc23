"""What a run leaves behind: its files, their proof, and their history in W3C PROV."""
