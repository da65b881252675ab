"""Operations on pathology results, one module for each."""
