"""Operations on users, one file each."""
