"""Operations on cultures."""
