"""Background work: jobs put in by a writer's own transaction, and the workers that do them."""
