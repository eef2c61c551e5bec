"""Chapter 10, its second file: inside the translator."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {"word_attention": 15}
