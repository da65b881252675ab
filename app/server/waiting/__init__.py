"""What waits for a person: counts that lead to the searches which they count."""
