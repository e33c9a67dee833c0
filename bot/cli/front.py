"""The front of the command line: its commands in groups, its version, completion, `--json`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

GROUPS = {
    "Try it": ("demo", "twin"),
    "A strategy by hand": ("draft", "explain", "report"),
    "A repository": ("setup", "doctor", "site", "metrics", "audit"),
    "A delivered strategy": ("verify", "reproduce", "live"),
    "This command line": ("completion",),
    "Called by the workflows": ("handle", "order", "work", "finish", "sweep", "pulls", "gate"),
}
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, _first(self.commands[name])) for name in names])


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


COMMANDS: tuple[click.Command, ...] = (completion,)
