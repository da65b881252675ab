"""The app's windows, and documents opened outside them."""
