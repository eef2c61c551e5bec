"""What a second file of a chapter repeats of the first, it repeats word for word."""

from programs import chapter_source

MODULES = ("multi-head-class", "layer", "model")


def test_the_modules_of_chapter_11_are_the_same_in_both_of_its_files() -> None:
    first, second = (
        {cell.id: cell.source for cell in chapter_source(name).cells}
        for name in ("11_transformer", "11b_translation")
    )
    _, _, repeated = second["parts"].partition("\n\n\n")  # above it, what they need
    assert repeated == "\n\n\n".join(first[name] for name in MODULES)
