"""Clinical results: numbers, words and texts, judged by reference ranges."""
