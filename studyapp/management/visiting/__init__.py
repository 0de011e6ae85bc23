"""Visit the site as a browser does: open pages, read their forms, send them."""
