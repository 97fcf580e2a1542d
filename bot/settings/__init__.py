"""The environment, read once into one value; a file for each part of it."""
