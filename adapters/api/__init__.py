"""The jobs API: reading, writing and e-mailing for programs, over HTTP, each as a person with that person's rights."""
