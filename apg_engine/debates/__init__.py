"""Debates that produce traces: one turn loop, and the systems that speak in it."""
