"""Operations on orders, one module for each."""
