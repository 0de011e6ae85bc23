"""What an auditor is worth: cards, corrected PF, weights, and who may steer a gate."""
