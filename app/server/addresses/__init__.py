"""ZIP codes and addresses."""
