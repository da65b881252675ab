"""Operations of support: accept requests, send their e-mails, and test the senders."""
