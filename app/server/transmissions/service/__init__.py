"""Operations on transmissions: requests, reads, and the worker's jobs."""
