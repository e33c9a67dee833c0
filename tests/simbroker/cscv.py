"""The probability of backtest overfitting by the letter of its paper: slow, from the returns.

D. H. Bailey, J. Borwein, M. Lopez de Prado, Q. J. Zhu: The Probability of Backtest Overfitting.
Journal of Computational Finance 20(4), 2017, section 2. Written from the paper's steps, and shares
no line with `simbroker/folds.py`: rows are joined again for each choice, ratios come from NumPy,
ranks from sorting, and the result from the logits.
"""

from itertools import combinations

import numpy as np

from simbroker.run import Floats

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
"""One row per time, one column per trial."""


def sharpe(rows: Matrix) -> Floats:
    result: Floats = rows.mean(axis=0) / rows.std(axis=0, ddof=1)
    return result


def rank(values: Floats, which: int) -> float:
    """1 is the worst; equals share the mean of their places."""
    ordered = sorted(values.tolist())
    places = [n for n, value in enumerate(ordered, 1) if value == values[which]]
    return sum(places) / len(places)


def logits(matrix: Matrix, parts: int) -> list[float]:
    """`parts` is the S of the paper."""
    blocks = np.split(matrix, parts)
    found = []
    for half in combinations(range(parts), parts // 2):
        inside = np.vstack([blocks[n] for n in half])
        outside = np.vstack([blocks[n] for n in range(parts) if n not in half])
        best = int(np.argmax(sharpe(inside)))
        relative = rank(sharpe(outside), best) / (matrix.shape[1] + 1)
        found.append(float(np.log(relative / (1 - relative))))
    return found


def overfitting(matrix: Matrix, parts: int) -> float:
    """The share of the logits that are not above 0."""
    return float(np.mean([value <= 0 for value in logits(matrix, parts)]))
