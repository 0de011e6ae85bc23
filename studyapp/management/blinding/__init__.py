"""Look at all that participants can get for anything that tells the two texts of a pair apart."""
