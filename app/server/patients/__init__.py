"""Patients of client facilities."""
