"""What all families of results share: loading an order for entry, permissions, and progress."""
