"""Reference data and the demo lab as plain values; ``app/server/seeding`` loads them."""
