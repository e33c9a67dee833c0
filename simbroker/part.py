"""The last part of a run as a run of its own: warmed up on what came before, judged on this."""

from dataclasses import replace

from simbroker.run import Run


def since(run: Run, idx: int, close_before: float) -> Run:
    """From bar `idx` on. The account starts with what it was worth at the close before.

    Trades are those that were entered here. One that was open already counts in the equity alone.
    """
    worth = float(run.equity[idx - 1]) if idx else run.terms.initial_balance
    entered = [t for t in run.trades if t.entry_idx >= idx]
    return replace(
        run,
        terms=replace(run.terms, initial_balance=worth),
        times=run.times[idx:],
        equity=run.equity[idx:],
        trades=[
            t._replace(
                signal_idx=t.signal_idx - idx,
                entry_idx=t.entry_idx - idx,
                exit_idx=t.exit_idx - idx,
            )
            for t in entered
        ],
        first_close=close_before,
        closes=None if run.closes is None else run.closes[idx:],
        refused=sum(r.idx >= idx for r in run.refusals),
        orders=[o._replace(idx=o.idx - idx) for o in run.orders if o.idx >= idx],
        refusals=[r._replace(idx=r.idx - idx) for r in run.refusals if r.idx >= idx],
    )
