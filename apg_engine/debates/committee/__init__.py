"""The crisis committee: three modules with opposed mandates, a fixed budget, and shocks."""
