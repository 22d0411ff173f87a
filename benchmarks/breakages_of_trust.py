"""Breakages of how files are opened and written, and of what is printed: what benchmarks/mutations.py tries. Each names
its tests.
"""

from breakages import mutation

STRANGERS, ELSEWHERE, BPE = "test_strangers.py", "training/test_from_elsewhere.py", "text/test_bpe.py"
REPLACING, RESUME = "test_replacing.py", "training/test_resume.py"
TERMINAL, READER = "cli/test_nothing_steers_the_terminal.py", "cli/test_the_reader_has_left.py"
TRAINING, LIVE = "cli/test_train_in_a_terminal.py", "server/test_live_training.py"

MUTATIONS = (
    # files of a stranger's folder
    mutation(
        "strangers.py",
        'if not stat.S_ISREG(found.st_mode):\n        raise Refused(f"{name} is not a plain file")',
        "pass",
        "files: a pipe or a device is opened",
        STRANGERS,
    ),
    mutation(
        "strangers.py",
        "(path.is_symlink() or not inside)",
        "False",
        "files: a link is followed wherever it leads",
        STRANGERS,
    ),
    mutation(
        "strangers.py",
        "path.is_symlink() or not inside",
        "path.is_symlink()",
        "files: a folder on the way may be a link that leads out",
        STRANGERS,
    ),
    mutation("strangers.py", "found.st_size > most", "False", "files: a file may have any size", STRANGERS),
    mutation(
        "strangers.py",
        "not _is_plain(os.lstat(found).st_mode)",
        "not _is_plain(os.stat(found).st_mode)",
        "files: a run is resumed through planted links",
        ELSEWHERE,
    ),
    mutation(
        "training/request.py",
        "        refuse_all_but_files_and_folders(self.folder, sorted(OWN))\n",
        "",
        "files: nobody looks before a run is resumed",
        ELSEWHERE,
    ),
    mutation(
        "strangers.py",
        "yield folder.resolve().parents[1] / BLOBS",
        "yield folder.resolve().parents[1]",
        "files: links of a download cache lead to anything beside it",
        STRANGERS,
    ),
    mutation(
        "server/tail.py",
        "except UNREADABLE:\n            return False",
        "except FileNotFoundError:\n            return False",
        "files: a trap as losses ends the reader",
        STRANGERS,
    ),
    mutation(
        "server/trainers.py",
        "file.seek(max(0, size - LAST))",
        "file.seek(0)",
        "files: a log is read from its beginning",
        STRANGERS,
    ),
    mutation(
        "training/lock.py",
        "if not stat.S_ISREG(os.fstat(handle).st_mode):",
        "if False:",
        "files: a pipe is a lock",
        STRANGERS,
    ),
    mutation(
        "models/trained.py",
        ", most=MOST_JSON + WIDEST * count(settings))",
        ")",
        "files: weights of any size are read before they are compared",
        ELSEWHERE,
    ),
    # tokenizers
    mutation(
        "text/tokenizer_file.py",
        "    engine.no_padding()",
        "    engine.no_truncation()",
        "files: a tokenizer pads texts",
        BPE,
    ),
    mutation("text/tokenizer_file.py", "    engine.no_truncation()\n", "", "files: a tokenizer cuts texts off", BPE),
    mutation(
        "text/tokenizer_file.py", 'if model.get("dropout"):', "if False:", "files: a tokenizer cuts at random", BPE
    ),
    # packed texts
    mutation(
        "training/unpacking.py", "if length > bound:", "if False:", "files: a packed text has any size", ELSEWHERE
    ),
    mutation(
        "training/unpacking.py", "max(FREE, MOST_RATIO * size)", "most", "files: a packed text has any ratio", ELSEWHERE
    ),
    mutation("training/unpacking.py", "(memlimit=MOST_MEMORY)", "()", "files: unpacking takes any memory", ELSEWHERE),
    # written beside, then renamed
    mutation(
        "replacing.py",
        "        os.replace(partial, place)\n        sync_folder(place.parent)\n",
        "        place.write_bytes(partial.read_bytes())\n",
        "files: the old file is overwritten instead of replaced",
        REPLACING,
    ),
    mutation(
        "replacing.py", "            os.fsync(file.fileno())\n", "", "files: renamed before it is on disk", REPLACING
    ),
    mutation(
        "replacing.py",
        "        partial.unlink(missing_ok=True)\n",
        "        pass\n",
        "files: half a file is left behind",
        REPLACING,
    ),
    mutation(
        "cli/export.py",
        "    with replacing(out) as written:\n",
        '    with out.open("wb") as written:\n',
        "files: export writes into the old file",
        REPLACING,
    ),
    mutation(
        "views/figure.py",
        "        with replacing(path) as file:\n",
        '        with path.open("wb") as file:\n',
        "files: figure writes into the old file",
        REPLACING,
    ),
    # what a run remembers, and how it ends
    mutation(
        "training/computing.py",
        "return (*before, now)[-MOST:], [told]",
        "return tuple(before), [told]",
        "files: a run that is moved forgets where to",
        RESUME,
    ),
    mutation("training/run.py", "        *moved,\n", "", "files: a run that is moved does not say so", RESUME),
    mutation(
        "training/stopping.py",
        "if came and number in AT_ONCE:",
        "if came:",
        "files: a closed window is told twice and nothing is saved",
        TRAINING,
    ),
    mutation(
        "training/stopping.py",
        "[signal.SIGHUP] if hasattr",
        "[] if hasattr",
        "files: a closed window ends training unsaved",
        TRAINING,
    ),
    mutation(
        "training/stopping.py",
        "if signal.getsignal(number) != signal.SIG_IGN",
        "",
        "files: nohup is not heeded",
        TRAINING,
    ),
    # what is printed
    mutation(
        "views/harmless.py",
        "return STEERS.sub(lambda found: _escaped(found.group()), text)",
        "return text",
        "output: escape sequences are printed as they are",
        TERMINAL,
    ),
    mutation(
        "views/harmless.py",
        "    if not STEERS.search(line.plain):\n        return line\n",
        "    return line\n",
        "output: coloured lines are printed as they are",
        TERMINAL,
    ),
    mutation(
        "cli/output.py",
        "self._stream.write(harmless_lines(text))",
        "self._stream.write(text)",
        "output: tracebacks are printed as they are",
        TERMINAL,
    ),
    mutation(
        "views/json.py",
        "return harmless_json(json.dumps",
        "return (json.dumps",
        "output: JSON is printed as it is",
        TERMINAL,
    ),
    mutation(
        "suggestions.py",
        "return shlex.join(words)",
        'return " ".join(words)',
        "output: suggested commands are not quoted",
        TERMINAL,
    ),
    mutation(
        "views/layout.py",
        "word = shlex.quote(option)",
        "word = option",
        "output: the next command is not quoted",
        TERMINAL,
    ),
    mutation(
        "cli/progress.py",
        'command("regard", "explain", "--model", str(run.folder), "--", run.sentence)',
        "f'regard explain \"{run.sentence}\" --model {run.folder}'",
        "output: a training text stands in a command in double quotes",
        TERMINAL,
    ),
    mutation("cli/main.py", "    end_with_the_reader()\n", "", "output: a closed pipe does not end a command", READER),
    mutation(
        "cli/progress.py",
        "            self.readers_left = self.console.quiet = True\n",
        "            raise\n",
        "output: a closed pipe ends training before it is saved",
        READER,
    ),
    mutation(
        "cli/open.py",
        "for trained in running_in(Path(RUNS)):\n",
        "for trained in ():\n",
        "output: a trainer outlives its server unannounced",
        LIVE,
    ),
)
