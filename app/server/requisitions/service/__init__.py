"""Operations on requisitions, one module for each."""
