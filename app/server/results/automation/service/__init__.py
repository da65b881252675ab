"""Operations on the rules of autoverification."""
