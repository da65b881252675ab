"""Clinical results: numbers, choices and text, flagged by reference ranges."""
