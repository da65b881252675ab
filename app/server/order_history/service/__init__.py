"""Operations on the history of orders."""
