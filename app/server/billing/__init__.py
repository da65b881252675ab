"""Payment of tests: bill types, payers, and the insurance rows of patients."""
