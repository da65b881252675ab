"""The lab's settings, such as its address, its logo, and who may enter results."""
