"""Operations of the advanced search."""
