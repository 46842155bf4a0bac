"""From a model to lines of text: one module for each part of the screen.  Pure; nothing here keeps anything."""
