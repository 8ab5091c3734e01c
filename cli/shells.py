"""Completion: what a shell may propose when Tab is pressed, and the script that makes it ask.

The script runs the program with the line up to the cursor in ``_TABELLION_COMPLETE``. The answer
is a proposal a line: the whole word, a tab, a few words about it; ``FILE`` stands for the files,
which the shell knows better. The shells quote what they insert and never evaluate it. An answer
never writes, asks or complains: where there is nothing to propose, nothing is said.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Annotated, Any, Final, NamedTuple

import typer

from cli.options import example

ASKED: Final = "_TABELLION_COMPLETE"
"""The environment variable that holds the line."""
_FILE: Final = "FILE"
_FILES_TOO: Final = frozenset({_FILE, "WHAT"})
"""Names of places where a file fits."""
_UNSAFE: Final = frozenset('"$`\\!')
"""Signs that a shell reads even between double quotes: nothing with them is proposed."""

SCRIPTS: Final = {
    "bash": r"""_tabellion() {
    local before=${COMP_LINE:0:COMP_POINT} joined files value about
    before=${before%"$2"}
    joined=${before##*[[:space:]]}  # what stands before the word: seat=
    joined=${joined%[\'\"]}
    COMPREPLY=()
    compopt -o nosort 2>/dev/null
    while IFS=$'\t' read -r value about; do
        [[ $value == FILE ]] && files=yes && continue
        [[ $value == *= ]] && compopt -o nospace
        value=${value#"$joined"}
        [[ $before == *[\'\"] ]] || printf -v value %q "$value"
        COMPREPLY+=("$value")
    done < <(_TABELLION_COMPLETE="${COMP_LINE:0:COMP_POINT}" "${1/#~\//$HOME/}" 2>/dev/null)
    [[ -n $files ]] && compopt -o default -o filenames
    [[ -n $files && ${#COMPREPLY[@]} -gt 0 ]] && while IFS= read -r value; do
        COMPREPLY+=("$value")
    done < <(compgen -f -- "$2")
}
complete -F _tabellion tabellion""",
    "zsh": r"""#compdef tabellion
_tabellion() {
    local value about files line="${words[1,CURRENT-1]} $QIPREFIX$PREFIX"
    local -a whole begun
    while IFS=$'\t' read -r value about; do
        case $value in
            FILE) files=yes ;;
            *=) begun+=("${value//:/\\:}${about:+:$about}") ;;
            *) whole+=("${value//:/\\:}${about:+:$about}") ;;
        esac
    done < <(_TABELLION_COMPLETE=$line ${~words[1]} 2>/dev/null)
    _describe -V tabellion whole -- begun -S ''
    [[ -n $files ]] && { compset -P '--*='; _files }
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
    _tabellion "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _tabellion tabellion
fi""",
    "fish": r"""function __tabellion_complete
    set -l program (string replace -r '^~/' "$HOME/" -- (commandline -opc)[1])
    set -l line (commandline -cp | string collect)
    for proposal in (_TABELLION_COMPLETE=$line $program 2>/dev/null)
        if test "$proposal" = FILE
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $proposal
        end
    end
end
complete -c tabellion -f -k -a '(__tabellion_complete)'""",
}


def register(app: typer.Typer) -> None:
    app.command("completion", epilog=example("tabellion completion bash"))(completion)


def completion(
    shell: Annotated[
        str, typer.Argument(metavar="bash|zsh|fish", help="The shell that you type in.")
    ],
) -> None:
    """Print the script for completion with Tab.

    Write the line of your shell into the file that it reads when it starts, .bashrc, .zshrc or
    config.fish:

    \b
    eval "$(tabellion completion bash)"
    eval "$(tabellion completion zsh)"
    tabellion completion fish | source
    """
    from cli.output import say
    from ledger.errors import Unreadable

    if shell not in SCRIPTS:
        raise Unreadable("bad-option", "The shell is bash, zsh or fish.")
    say(SCRIPTS[shell])


def answer(line: str) -> int:
    """Print what could stand at the end of ``line``, a shell's command line up to the cursor."""
    try:
        typed = _read(line)
        for text, about in proposals(typed.words[1:], typed.unfinished):
            if _can_be_typed(text, typed.quoted):
                print(f"{text}\t{_tidy(about)}".rstrip("\t"))
    except Exception:  # noqa: BLE001, S110  (the boundary of its own: Tab never complains)
        pass
    return 0


def _can_be_typed(text: str, quoted: bool) -> bool:
    """Whether no shell can take ``text``, quoted as it has to be, for more than a word."""
    return text.isprintable() and _UNSAFE.isdisjoint(text) and not (quoted and "'" in text)


class _Typed(NamedTuple):
    """A line as the shell's words; ``quoted`` when the last stands in a quotation still open."""

    words: list[str]
    unfinished: str
    quoted: bool


def _read(line: str) -> _Typed:
    lexer = shlex.shlex(f"{line}\0", posix=True)  # a sign at the end, in whatever state that is
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    quoted = False
    try:
        words.extend(iter(lexer))
    except ValueError:  # the last quotation is not closed
        words.append(lexer.token)
        quoted = True
    return _Typed(words[:-1], words[-1].removesuffix("\0"), quoted)


def _tidy(about: str) -> str:
    from cli.output import visible

    return visible(about.replace("\t", " "), lines=True)


def proposals(words: list[str], unfinished: str) -> Iterator[tuple[str, str]]:
    from cli.app import build, names

    known = names()
    if not words and not unfinished.startswith("-"):
        yield from ((name, "") for name in known if name.startswith(unfinished))
    elif not words or words[0] in known:
        from typer.main import get_command

        some = words[:1] or known[:1]  # one module is enough for the program's own options
        yield from _of_command(get_command(build(some)), words, unfinished)


def _of_command(command: Any, words: list[str], unfinished: str) -> Iterator[tuple[str, str]]:
    """What Typer's ``command`` lets follow: commands, options, or a value for its next place."""
    context = command.make_context("tabellion", [], resilient_parsing=True)
    while words and hasattr(command, "commands"):
        name, *words = words
        command, parent = command.commands[name], context
        context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    options = {} if "--" in words else _options_with_values(command)
    joined, option = "", options.get(words[-1]) if words else None
    if option:
        del words[-1]
    elif options and unfinished.startswith("--") and "=" in unfinished:
        name, _, unfinished = unfinished.partition("=")
        joined, option = f"{name}=", options.get(name)
    elif "--" not in words and unfinished.startswith("-"):
        option = command  # not a value: the name of an option
    if words:
        context = command.make_context(
            command.name, list(words), parent=context.parent, resilient_parsing=True
        )
    place = option or _next_argument(command, context) or command
    named = (getattr(place, "metavar", None) or "").strip("[]")
    if named in _FILES_TOO:
        yield _FILE, ""
    elif "|" in named:  # the choices: one|another
        choices = (each for each in named.split("|") if each.startswith(unfinished))
        yield from ((f"{joined}{each}", "") for each in choices)
    for item in place.shell_complete(context, unfinished):
        yield f"{joined}{item.value}", item.help or ""


def _options_with_values(command: Any) -> dict[str, Any]:
    return {
        name: parameter
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.is_flag
        for name in parameter.opts
    }


def _next_argument(command: Any, context: typer.Context) -> Any:
    """The first argument that has no value yet, or takes any number of them."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            source = context.get_parameter_source(parameter.name)
            if parameter.nargs == -1 or source is None or source.name != "COMMANDLINE":
                return parameter
    return None
