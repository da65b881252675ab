"""Operations on exports: requests, reads, and the job that writes files."""
