"""Requisitions sent by e-mail or fax, and what became of each (O 7 'Send', DECISIONS 'Sending')."""
