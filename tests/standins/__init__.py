"""Real servers that stand in for those of others: mail, and a provider of faxes."""
