"""Choosing honestly: how good a filter is, and which of several."""
