"""Weights of `router.text_to_sql.confidence`, found in answers of `icc-bot eval --out FILE`.

`uv run python -m tests.bench.fit_confidence FILE [FILE …] [--on FILE]` prints them, and the share of wrong and of right
answers that would carry a doubt; `--on` judges them by answers on other databases than those that they are found in.
Twice: with what the model told of its tokens, and from the parts of the statements alone.
"""

import argparse
from pathlib import Path

from bot.evaluation.answers import MeasuredAnswer, read_answers
from router.text_to_sql.confidence import DOUBTFUL, features, likelihood

STEPS, RATE, SHRINK = 4000, 0.5, 0.01
"""Steps of gradient descent, its rate, and how much each step draws all weights but the first towards 0."""

Sample = tuple[dict[str, float], bool, bool]
"""What an answer looks like, whether something in particular speaks against it, and whether it is right."""


def read(paths: list[Path]) -> list[MeasuredAnswer]:
    """Return the answers that run."""
    return [answer for path in paths for answer in read_answers(path).given.values() if answer.runs]


def samples_of(answers: list[MeasuredAnswer], *, told: bool) -> list[Sample]:
    """Return what answers look like with what the model told of its tokens, or without."""
    return [
        (features(each.sql, "sqlite", each.signs, each.surprisal if told else None), each.signs > 0, each.right)
        for each in answers
        if not told or each.surprisal is not None
    ]


def fit(samples: list[Sample]) -> dict[str, float]:
    """Return the weights under which these answers are likeliest."""
    weights = dict.fromkeys(samples[0][0], 0.0)
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
    answers, on = read(given.files), read(given.on or given.files)
    for told, title in ((True, "WEIGHTS"), (False, "SHAPE_WEIGHTS")):
        samples, judged_on = samples_of(answers, told=told), samples_of(on, told=told)
        if not samples or not judged_on:
            continue
        weights = fit(samples)
        print(title, *(f'    "{name}": {weight:.2f},' for name, weight in weights.items()), sep="\n")
        for limit in (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8):
            wrong, right = judged(weights, judged_on, limit)
            mark = "  <- DOUBTFUL" if limit == DOUBTFUL else ""
            print(f"below {limit:.2f}: {wrong:.0%} of the wrong answers, {right:.0%} of the right ones{mark}")


if __name__ == "__main__":
    main()
