"""The ``kongbox`` command, which imports a subcommand when it is asked for."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any, Final

import click

from webapp.cli.listed import LISTED
from webapp.cli.output.examples import START, example_of
from webapp.runtime.data_folder import data_folder, name_rulesets
from webapp.runtime.os_support import speak_every_language


class Later(click.Command):
    """A command that is imported when it is run, or asked for its own help.

    What lists of commands and the shell's completion tell of it is known before.
    """

    def __init__(self, words: str, told: str, place: str) -> None:
        super().__init__(words.rpartition(" ")[2], short_help=told)
        self.words, self.place = words, place

    def imported(self) -> click.Command:
        """The command itself, whose help ends with an example."""
        found: click.Command = resolve_name(self.place)
        found.epilog = example_of(self.words)
        return found

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - as click declares it
    ) -> click.Context:
        """Hand what was typed over to the command itself."""
        return self.imported().make_context(info_name, args, parent, **extra)


_OF_CLICK: Final = (click.ClickException, click.exceptions.Exit, click.Abort)
"""What ends a command and tells why itself, such as a help that was shown."""


class _Program(click.Group):
    """All subcommands and groups of them."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click declares it
        """Run a subcommand; a disk or database that cannot be used is told as what it is."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            told = None if isinstance(error, _OF_CLICK) else _trouble_words(error)
            if told is None:
                raise
            raise click.ClickException(told) from error


def _trouble_words(error: Exception) -> str | None:
    """The trouble that an error comes from, in words; None if it is something else."""
    from webapp.database.trouble import DETAILS, trouble_of

    trouble = trouble_of(error)
    return None if trouble is None else str(DETAILS[trouble])


@click.group(
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog=START,
)
@click.version_option(package_name="kongbox", prog_name="kongbox")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Read mahjong tiles from photos, score every hand, settle the payments.

    Without a command Kongbox serves its page on this computer and opens it in the browser. If it is
    served already, it is only opened.
    """
    speak_every_language()
    name_rulesets(data_folder())
    if ctx.invoked_subcommand is None:
        resolve_name("webapp.cli.serve:start")()


def _add_commands() -> None:
    """Add every command to its group, which is listed before."""
    groups: dict[str, click.Group] = {"": main}
    for words, (told, place) in LISTED.items():
        within, _, name = words.rpartition(" ")
        if place is not None:
            groups[within].add_command(Later(words, told, place))
            continue
        short = told.partition("\n\n")[0]
        groups[words] = click.Group(name, help=told, short_help=short, epilog=example_of(words))
        groups[within].add_command(groups[words])


_add_commands()
