"""What the reader answers, predicts and has done: recall, predictions, the map of the book."""
