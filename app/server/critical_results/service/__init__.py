"""Operations on critical results, one module for each."""
