"""Words, numbers and dates as people write and read them: each rule stands here once, and nowhere else."""
