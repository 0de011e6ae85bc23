"""What calls cost: prices with their source, spending, budgets and pace."""
