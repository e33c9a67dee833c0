"""The front of the command line: its commands in groups, its version, completion, `--json`."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click
from click.shell_completion import get_completion_class

GROUPS = {
    "Try it": {"demo": "bot.cli.local:demo", "twin": "bot.cli.local:serve_twin"},
    "A strategy by hand": {
        "draft": "bot.cli.local:draft",
        "code": "bot.cli.local:code",
        "explain": "bot.cli.local:explain_contract",
        "sheet": "bot.cli.sheets:sheet",
        "report": "bot.cli.reports:report",
    },
    "A repository": {
        "setup": "bot.cli.prepare:setup",
        "doctor": "bot.cli.prepare:doctor",
        "site": "bot.cli.sites:site",
        "metrics": "bot.cli.measures:show",
        "audit": "bot.cli.orders:audit",
    },
    "A delivered strategy": {
        "verify": "bot.cli.artifacts:verify",
        "reproduce": "bot.cli.artifacts:reproduce",
        "live": "bot.live.cli:live",
    },
    "This command line": {"completion": "bot.cli.front:completion"},
    "Called by the workflows": {
        "handle": "bot.cli.jobs:handle_event",
        "order": "bot.cli.orders:order",
        "work": "bot.cli.orders:work_on",
        "finish": "bot.cli.jobs:finish",
        "sweep": "bot.cli.jobs:sweep_all",
        "pulls": "bot.cli.pulls:pulls",
        "gate": "bot.cli.gate:gates",
    },
}
"""Every command and where it is: a job starts often, and loads only what its own command needs."""
EXITS = """
\b
Exit codes: 0 done; 1 refused, a person must look; 2 wrong use or bad input;
3 a draft got questions or a refusal; 75 GitHub or git did not answer, run again;
130 stopped by Ctrl-C.
"""
as_json = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for machines.")
executor = click.option(
    "--executor", type=click.Choice(["quick", "act"]), default="quick", show_default=True,
    help="How jobs run: quick, on this machine; act, the real workflow files in containers.",
)  # fmt: skip


class Whole(click.Group):
    """Each command of a group with its whole first sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(n, _first(self.commands[n])) for n in sorted(self.commands)])


class Front(click.Group):
    """Each command with its whole first sentence, those that people type first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(name for places in GROUPS.values() for name in places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        places = [group[cmd_name] for group in GROUPS.values() if cmd_name in group]
        return _loaded(places[0]) if places else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        near = get_close_matches(args[0], self.list_commands(ctx), 1) if args else []
        if near and near[0] != args[0] and not ctx.resilient_parsing:
            ctx.fail(f"There is no command '{args[0]}'. Did you mean '{near[0]}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, places in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(n, _first(_loaded(place))) for n, place in places.items()])


def _loaded(place: str) -> click.Command:
    module, _, name = place.partition(":")
    found: click.Command = getattr(import_module(module), name)
    return found


def _first(command: click.Command) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete the commands: eval "$(stratbot completion bash)"."""
    made = get_completion_class(shell)
    root = click.get_current_context().find_root()
    assert made is not None  # nosec B101
    click.echo(made(root.command, {}, "stratbot", "_STRATBOT_COMPLETE").source())
