"""What touches the world: reading rows, keeping results, writing files of them."""
