"""Operations on the data of the lab."""
