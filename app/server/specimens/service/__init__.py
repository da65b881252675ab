"""Operations on the tubes of requisitions and orders."""
