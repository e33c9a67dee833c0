"""The command line: its commands are listed in `bot/cli/front.py`; here is what an error means."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from bot.cli import front
from bot.ports import Conflict, Rejected, Unavailable
from bot.reader import Malformed
from bot.text.machine import cannot_use, later
from schemas import codec


@click.group(
    cls=front.Front, epilog=front.EXITS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="stratbot", message="stratbot %(version)s")
def cli() -> None:
    """Stratbot writes, tests and ships trading strategies, through GitHub alone."""


def main() -> NoReturn:
    """Errors are sentences on stderr, never tracebacks; the exit code says what kind."""
    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except (Malformed, codec.Invalid, ValueError) as error:
        click.echo(f"stratbot: {error}", err=True)
        sys.exit(2)
    except Rejected as error:
        click.echo(f"stratbot: {error}", err=True)
        sys.exit(1)
    except (Unavailable, Conflict) as error:
        click.echo(f"stratbot: {later(error)}", err=True)
        sys.exit(75)
    except OSError as error:
        click.echo(f"stratbot: {cannot_use(error.filename, error.strerror)}", err=True)
        sys.exit(1)
    sys.exit(0)


if __name__ == "__main__":
    main()
