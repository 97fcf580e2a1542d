"""Weights of `router.text_to_sql.confidence`, found in answers of `icc-bot eval --out FILE`.

`uv run python -m tests.bench.fit_confidence FILE [FILE …] [--on FILE]` prints them, and the share of wrong and of right
answers that would carry a doubt; `--on` judges them by answers on other databases than those that they are found in.
"""

import argparse
from pathlib import Path

from bot.evaluation.answers import read_answers
from router.text_to_sql.confidence import DOUBTFUL, WEIGHTS, features, likelihood

STEPS, RATE, SHRINK = 4000, 0.5, 0.01
"""Steps of gradient descent, its rate, and how much each step draws all weights but the first towards 0."""

Sample = tuple[dict[str, float], bool, bool]
"""What an answer looks like, whether something in particular speaks against it, and whether it is right."""


def read(paths: list[Path]) -> list[Sample]:
    """Return the answers that run."""
    answers = [answer for path in paths for answer in read_answers(path).given.values() if answer.runs]
    return [(features(answer.sql, "sqlite", answer.signs), answer.signs > 0, answer.right) for answer in answers]


def fit(samples: list[Sample]) -> dict[str, float]:
    """Return the weights under which these answers are likeliest."""
    weights = dict.fromkeys(WEIGHTS, 0.0)
    for _ in range(STEPS):
        slope = dict.fromkeys(weights, 0.0)
        for found, _, right in samples:
            error = right - likelihood(weights, found)
            for name, value in found.items():
                slope[name] += error * value / len(samples)
        for name in weights:
            drawn = 0.0 if name == "always" else SHRINK * weights[name]
            weights[name] += RATE * (slope[name] - drawn)
    return weights


def judged(weights: dict[str, float], samples: list[Sample], limit: float) -> tuple[float, float]:
    """Return the share of the wrong and of the right answers with a doubt."""
    shares = []
    for kind in (False, True):
        some = [signs or likelihood(weights, found) < limit for found, signs, right in samples if right is kind]
        shares.append(sum(some) / max(1, len(some)))
    return shares[0], shares[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--on", nargs="+", type=Path)
    given = parser.parse_args()
    samples = read(given.files)
    weights, on = fit(samples), read(given.on) if given.on else samples
    for name, weight in weights.items():
        print(f'    "{name}": {weight:.2f},')
    for limit in (0.5, 0.6, 0.65, 0.7, 0.75, 0.8):
        wrong, right = judged(weights, on, limit)
        mark = "  <- DOUBTFUL" if limit == DOUBTFUL else ""
        print(f"below {limit:.2f}: {wrong:.0%} of the wrong answers, {right:.0%} of the right ones{mark}")


if __name__ == "__main__":
    main()
