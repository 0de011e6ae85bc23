"""How good an auditor is: labelled cases, cards, corrected PF, and who may steer a gate."""
