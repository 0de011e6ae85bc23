"""The courtroom debate of PROCLAIM: a claim is tried, with evidence found as the debate goes."""
