"""Equity with its drawdown, and the equity of two versions of one strategy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matplotlib.figure import Figure

from bot.pictures import words
from bot.pictures.canvas import BAD, INK, MAIN, Picture, drawn, in_money, legend, line, thinned
from bot.pictures.table import Point

Fall = tuple[datetime, float]


def equity(points: Sequence[Point]) -> Picture:
    fallen = falls(points)
    alt = words.equity(_net(points), min(value for _, value in fallen))
    return drawn("Equity and drawdown", alt, lambda figure: _equity(figure, points, fallen))


def versions(before: Sequence[Point], after: Sequence[Point]) -> Picture:
    """How the account would have gone with each of the two."""
    alt = words.versions(_net(before), _net(after))
    return drawn("Equity of two versions", alt, lambda figure: _versions(figure, before, after))


def falls(points: Sequence[Point]) -> list[Fall]:
    """How far below its best the account stood."""
    best, found = points[0].equity, []
    for p in points:
        best = max(best, p.equity)
        found.append((p.at, p.equity - best))
    return found


def _net(points: Sequence[Point]) -> float:
    return points[-1].equity - points[0].equity


def _equity(figure: Figure, points: Sequence[Point], fallen: list[Fall]) -> None:
    top, low = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    shown = thinned(list(points), lambda p: p.equity)
    top.axhline(points[0].equity, color=INK, linewidth=1, linestyle="--", label="start")
    line(top, ((p.at, p.equity) for p in shown), color=MAIN, label="equity")
    top.set_ylabel("equity")
    rows = thinned(fallen, lambda f: f[1])
    times, depths = [at for at, _ in rows], [depth for _, depth in rows]
    low.fill_between(times, depths, 0.0, color=BAD, alpha=0.35, linewidth=0)
    line(low, rows, color=BAD, linewidth=1)
    deepest = -min(depth for _, depth in fallen)
    line(top, (), color=BAD, label=f"drawdown, at most {deepest:,.2f}")
    legend(top)
    low.set_ylabel("drawdown")
    for axes in (top, low):
        in_money(axes)
        axes.margins(x=0.01)


def _versions(figure: Figure, before: Sequence[Point], after: Sequence[Point]) -> None:
    axes = figure.subplots()
    for points, name, color, style in ((before, "before", BAD, "--"), (after, "now", MAIN, "-")):
        shown = thinned(list(points), lambda p: p.equity)
        told = f"{name}: net {_net(points):+,.2f}"
        line(axes, ((p.at, p.equity) for p in shown), color=color, linestyle=style, label=told)
    axes.set_ylabel("equity")
    in_money(axes)
    axes.margins(x=0.01)
    legend(axes)
