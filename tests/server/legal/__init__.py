"""Tests of acceptances."""
