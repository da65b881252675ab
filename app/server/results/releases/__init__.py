"""The releases and corrections of an order's results, of all families."""
