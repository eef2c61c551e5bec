"""Drawings in SVG: cells, the book's emblem as it grows, and what goes where."""
