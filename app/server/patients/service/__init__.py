"""Operations on patients, one file each."""
