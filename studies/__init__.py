"""Programs that make the book's recorded runs and measure its speed: ``python -m studies.NAME``."""
