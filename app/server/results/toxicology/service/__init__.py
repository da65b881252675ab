"""Operations on toxicology results, one module for each."""
