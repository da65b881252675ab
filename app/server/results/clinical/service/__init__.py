"""Operations on clinical results, one module for each."""
