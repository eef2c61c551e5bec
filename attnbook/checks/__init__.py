"""The checks: one file an exercise, in the order that each chapter lists."""
