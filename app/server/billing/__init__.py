"""How a patient's tests are paid: bill types, payers, and the insurance rows of a patient."""
