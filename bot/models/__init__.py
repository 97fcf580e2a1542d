"""Chooses the language models, and reaches them: on Ollama, at a provider, or inside this process."""
