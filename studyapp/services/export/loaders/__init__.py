"""Programs that a bundle carries, to read its tables in R and Python; the site runs neither."""
