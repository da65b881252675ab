"""Who is acting, what they may do, and the route class that asks before anything else runs."""
