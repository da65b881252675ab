"""Transmissions: forms and results sent by e-mail or fax (O 7 'Send', DECISIONS 'Sending')."""
