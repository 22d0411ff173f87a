"""`regard vectors`: word vectors in files of every common kind, and the table of any model."""

from collections.abc import Callable
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli import vectors_train
from regard.cli.options import Json, Plain

if TYPE_CHECKING:
    from regard.vectors.neighbours import Neighbours
    from regard.vectors.wordvectors import WordVectors

app = typer.Typer(help="Word vectors: train them, ask what is near what, measure, draw and convert them.")
app.command("train")(vectors_train.command)

Vectors = Annotated[
    str,
    typer.Argument(
        help="A file of word vectors (word2vec text or binary, GloVe, fastText .vec, safetensors, regard's own), the "
        "folder of a run that trained some, or a model by its name or folder.",
        metavar="VECTORS",
    ),
]
Top = Annotated[int, typer.Option(help="How many words to show.", min=1, max=1000)]
WithInputs = Annotated[bool, typer.Option("--with-inputs", help="Allow the words that were asked as answers.")]
Why = Annotated[
    str | None,
    typer.Option(help="Open a number instead: a word opens its cosine, a cell such as 'own[3]' itself."),
]
Depth = Annotated[int, typer.Option(help="Levels to open, with --why.", min=1, max=50)]
Digits = Annotated[int, typer.Option(help="Decimals of every number, with --why.", min=1, max=15)]


def showing(find: "Callable[..., Neighbours]") -> Callable[..., None]:
    """A command that shows what is nearest to something, with the options that every such question has."""

    def command(
        vectors: Vectors,
        top: Top,
        with_inputs: WithInputs = False,
        why: Why = None,
        depth: Depth = 2,
        digits: Digits = 4,
        plain: Plain = False,
        json: Json = False,
        **asked: str,
    ) -> None:
        from regard.vectors.finding import find_vectors

        found = find_vectors(vectors)
        nearest = find(found, **asked, top=top, exclude=not with_inputs)
        _shown(found, asked.get("words") or nearest.word, nearest, why, depth, digits, plain, json)

    first, *options = list(signature(command).parameters.values())[:-1]
    _, *own, usual, _ = signature(find).parameters.values()
    options[0] = options[0].replace(default=usual.default)
    command.__signature__ = Signature([first, *own, *options])  # pyright: ignore[reportFunctionMemberAccess]
    command.__doc__ = find.__doc__
    return command


@app.command("near")
@showing
def near(
    found: "WordVectors",
    words: Annotated[str, typer.Argument(help='A word, or a sum such as "king - man + woman".', metavar="WORDS")],
    top: int = 10,
    exclude: bool = True,
) -> "Neighbours":
    """List the words nearest to a word or to a sum of words."""
    return found.near(words, top, exclude)


@app.command("analogy")
@showing
def analogy(
    found: "WordVectors",
    a: Annotated[str, typer.Argument(help="a is to …", metavar="A")],
    b: Annotated[str, typer.Argument(help="… b as …", metavar="B")],
    c: Annotated[str, typer.Argument(help="… c is to what?", metavar="C")],
    top: int = 5,
    exclude: bool = True,
) -> "Neighbours":
    """Answer "a is to b as c is to what?" by the words nearest to b − a + c: man king woman."""
    return found.analogy(a, b, c, exclude, top)


def _shown(found, asked, nearest, why, depth, digits, plain, json) -> None:
    from regard.cli.output import ink_for, width_here, write, write_json
    from regard.views.near import near_lines
    from regard.views.why import why_lines

    if why is not None:
        is_word = why in found
        opened = found.compared(asked, [why]) if is_word else nearest
        cell = opened.trace.address_of(opened.cosines[0]) if is_word else why
        write(why_lines(opened.trace, cell, depth, "text", digits, width_here()), plain)
    elif json:
        write_json({"vectors": found.name, **nearest.data()})
    else:
        write(near_lines(nearest, ink_for(None, plain), "--why WORD opens the cosine of a word"), plain)


@app.command("evaluate")
def evaluate(
    vectors: Vectors,
    sets: Annotated[
        list[str] | None,
        typer.Argument(
            help="google, wordsim353, simlex999, or files of questions like theirs.  [default: those that are "
            "installed: pip install gensim brings them]",
            metavar="[SET]...",
        ),
    ] = None,
    why: Annotated[
        str | None,
        typer.Option(
            help="Open a number instead, such as 'answered.share[family]', 'agreement' or 'cosine[tiger–cat]'."
        ),
    ] = None,
    depth: Depth = 2,
    digits: Digits = 4,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Measure vectors by published questions: analogies by category, and pairs of words that people rated."""
    from regard.cli.output import ink_for, width_here, write, write_json
    from regard.vectors.evaluation import agreement, answered, holding
    from regard.vectors.finding import find_vectors
    from regard.vectors.published import Analogies, brought, published
    from regard.views.vectors import agreement_lines, answered_lines
    from regard.views.why import why_lines

    asked = [published(name) for name in sets or brought() or ("google",)]
    found = find_vectors(vectors)
    answers = [answered(found, one) for one in asked if isinstance(one, Analogies)]
    rated = [agreement(found, one) for one in asked if not isinstance(one, Analogies)]
    if why is not None:
        trace = holding([one.trace for one in (*answers, *rated)], why)
        write(why_lines(trace, why, depth, "text", digits, width_here()), plain)
        return
    if json:
        told = {"analogies": [one.data() for one in answers], "ratings": [one.data() for one in rated]}
        write_json({"vectors": found.name, **told})
        return
    ink = ink_for(None, plain)
    for one in answers:
        write(answered_lines(one, ink), plain)
    if rated:
        write(agreement_lines(rated, ink), plain)


@app.command("map")
def map_(
    vectors: Vectors,
    words: Annotated[
        str | None, typer.Option(help="Words to show, with commas between them.  [default: the first ones]")
    ] = None,
    top: Annotated[int, typer.Option(help="How many of the first words, without --words.", min=1, max=200_000)] = 50,
    by: Annotated[str, typer.Option(help="How the plane is found: pca, or umap where it is installed.")] = "pca",
    across: Annotated[
        str | None, typer.Option(help='The direction to the right instead, as a sum: "man - woman".', metavar="SUM")
    ] = None,
    up: Annotated[str | None, typer.Option(help='The direction up: "king - man".', metavar="SUM")] = None,
    arrow: Annotated[
        list[str] | None, typer.Option(help="Draw an arrow between two words, FROM:TO; may be given several times.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Draw it: .svg, .pdf or .png.  [default: print places]")
    ] = None,
    why: Why = None,
    depth: Depth = 2,
    digits: Digits = 4,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Show where words stand in a plane."""
    from regard.cli.output import ink_for, say, width_here, write, write_json
    from regard.vectors.finding import find_vectors
    from regard.views.vectors import map_lines
    from regard.views.why import why_lines

    found = find_vectors(vectors)
    some = [found.words[i] for i in range(min(top, len(found)))] if words is None else _listed(words)
    drawn = found.map2d(some, by, across, up)
    arrows = [_ends(one) for one in arrow or ()]
    if why is not None:
        write(
            why_lines(drawn.trace, f"map.up[{why}]" if why in found else why, depth, "text", digits, width_here()),
            plain,
        )
    elif out is not None:
        from regard.views.figure import map_figure, save

        for note in save(map_figure(drawn, arrows), out):
            say(note)
        say(f"{out}: {len(drawn.words):,} words, {out.stat().st_size:,} bytes")
    elif json:
        write_json({"vectors": found.name, **drawn.data()})
    else:
        write(map_lines(drawn, ink_for(None, plain)), plain)


def _listed(words: str) -> list[str]:
    found = [word.strip() for word in words.split(",") if word.strip()]
    if not found:
        raise ValueError(f"--words expects words with commas between them, such as king,queen, got {words!r}")
    return found


def _ends(arrow: str) -> tuple[str, str]:
    start, colon, end = arrow.partition(":")
    if not (start and colon and end):
        raise ValueError(f"--arrow expects FROM:TO, such as man:king, got {arrow!r}")
    return start, end


@app.command("open")
def open_(
    vectors: Vectors,
    port: Annotated[
        int | None, typer.Option(help="The port.  [default: 4725, or any free one]", min=0, max=65535)
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Look at word vectors in the browser: search, neighbours, analogies, a map of the first 100,000 words."""
    from regard.cli.open import command

    command(vectors, port=port, no_browser=no_browser)


@app.command("convert")
def convert(
    source: Vectors,
    out: Annotated[Path, typer.Argument(help="The file to write.", metavar="OUT")],
    to: Annotated[
        str | None,
        typer.Option(
            help="regard (mapped when opened), safetensors, word2vec (text, as fastText's .vec), binary (word2vec's), "
            "glove.  [default: by the ending of OUT: .vectors, .safetensors, .vec, .bin, .txt]"
        ),
    ] = None,
    spaces: Annotated[
        str | None, typer.Option(help="Write this sign for spaces inside words, where a space ends a word.")
    ] = None,
) -> None:
    """Write word vectors, or the table of a model, in another format."""
    from regard.cli.output import say
    from regard.vectors.files import convert as converted
    from regard.vectors.files import save
    from regard.vectors.finding import find_vectors, vectors_file

    file = vectors_file(source)
    if file is None:
        found = find_vectors(source)
        save(found, out, to, spaces)
    else:
        found = converted(file, out, to, spaces)
    for note in found.notes:
        say(note)
    say(f"{out}: {len(found):,} words of {found.width:,} numbers, {out.stat().st_size:,} bytes")
