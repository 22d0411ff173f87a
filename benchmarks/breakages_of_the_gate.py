"""Breakages of the gate and of what leaves it: what benchmarks/mutations.py tries. Each names its tests."""

from breakages import Mutation, mutation

GATE, OPENING, PATHS = "server/test_gate.py", "server/test_opening.py", "server/test_errors_name_no_path.py"
OFFLINE = "views/test_offline.py"


def of_the_gate(old: str, new: str, why: str) -> Mutation:
    return mutation("server/gate.py", old, new, why, GATE)


MUTATIONS = (
    # who is asked for, and by whom
    of_the_gate(
        "len(hosts) != 1 or hosts[0] not in self.hosts",
        "len(hosts) != 1 or not hosts[0].startswith(tuple(self.hosts))",
        "gate: a host is accepted by its beginning",
    ),
    of_the_gate(
        "len(hosts) != 1 or hosts[0] not in self.hosts",
        "len(hosts) != 1 or hosts[0].rpartition(b':')[0] not in {h.rpartition(b':')[0] for h in self.hosts}",
        "gate: a host is accepted with any port",
    ),
    of_the_gate('if origin != b"http://" + hosts[0]:', "if False:", "gate: the origin is not looked at"),
    of_the_gate(
        'if origin != b"http://" + hosts[0]:',
        'if not origin.startswith(b"http://" + hosts[0]):',
        "gate: an origin is accepted by its beginning",
    ),
    of_the_gate(
        "if site not in OWN_SITES and not _opens_the_page(scope, headers):",
        "if False:",
        "gate: requests of other sites pass",
    ),
    of_the_gate('scope["path"] == "/" and scope["method"]', 'scope["method"]', "gate: a link leads anywhere"),
    of_the_gate(' and target == [b"document"]', "", "gate: another site may put the page into a frame"),
    # the session
    of_the_gate(
        'if scope["path"] not in self.without_session or scope["method"] not in SAFE:',
        'if scope["path"].startswith("/api/"):',
        "gate: only what begins with /api/ needs a session",
    ),
    of_the_gate(
        'if scope["path"] not in self.without_session or scope["method"] not in SAFE:',
        'if scope["path"] not in self.without_session:',
        "gate: the page's files take every method without a session",
    ),
    of_the_gate(
        'self._check_session(self._checked_names(scope), scope["subprotocols"])',
        "self._checked_names(scope)",
        "gate: a WebSocket needs no session",
    ),
    of_the_gate(
        "if len(shown) != 1 or not self.entry.is_session(shown[0]):",
        "if not any(map(self.entry.is_session, shown)):",
        "gate: one right session among wrong ones is enough",
    ),
    of_the_gate(
        'return value[len(prefix) :] if value.startswith(prefix) else b""',
        "return value.removeprefix(prefix)",
        "gate: a session is taken without its scheme",
    ),
    of_the_gate(
        'message["subprotocol"] = SUBPROTOCOL',
        'message["subprotocol"] = scope["subprotocols"][-1]',
        "gate: the session is repeated in the answer to a handshake",
    ),
    of_the_gate(
        'scope["path"] == EXCHANGE and scope["method"] == "POST"',
        'scope["path"] == EXCHANGE',
        "gate: looking at an address uses it up",
    ),
    mutation(
        "server/entry.py",
        "self._waiting.pop(value)()",
        "self._waiting[value]()",
        "gate: a login value can be used again",
        GATE,
    ),
    mutation(
        "server/entry.py",
        "while len(self._waiting) >= MOST_WAITING:",
        "while False:",
        "gate: login values pile up",
        GATE,
    ),
    # what every answer carries
    of_the_gate('    (b"referrer-policy", b"no-referrer"),\n', "", "gate: referrer-policy is dropped"),
    of_the_gate('    (b"x-content-type-options", b"nosniff"),\n', "", "gate: nosniff is dropped"),
    of_the_gate("connect-src 'self'", "connect-src *", "gate: connect-src is anywhere"),
    of_the_gate("base-uri 'none'; ", "", "gate: base-uri is dropped"),
    of_the_gate("form-action 'none'; ", "", "gate: form-action is dropped"),
    of_the_gate("; frame-ancestors 'none'", "", "gate: frame-ancestors is dropped"),
    of_the_gate("script-src 'self'", "script-src 'self' 'unsafe-inline'", "gate: scripts inside HTML are allowed"),
    of_the_gate(
        "str(len(body)).encode()), *SECURITY_HEADERS]",
        "str(len(body)).encode())]",
        "gate: a refused handshake has no security headers",
    ),
    of_the_gate(
        "SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (\n",
        'SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (\n    (b"access-control-allow-origin", b"*"),\n',
        "gate: other sites may read answers",
    ),
    # how the browser and other terminals get an address
    mutation("server/handing.py", "0o600", "0o644", "gate: everybody reads the browser's address", OPENING),
    mutation(
        "server/handing.py",
        "open_file(file.as_uri())",
        "open_file(address)",
        "gate: the browser's address stands among its arguments",
        OPENING,
    ),
    mutation(
        "server/entry.py",
        "self._waiting.pop(value)()",
        "self._waiting.pop(value)",
        "gate: the browser's file stays after it was used",
        OPENING,
    ),
    mutation(
        "server/serving.py",
        "        self._on_end()\n",
        "",
        "gate: the browser's file stays after the end",
        OPENING,
    ),
    mutation(
        "server/doorbell.py",
        " or found.st_mode & 0o077",
        "",
        "gate: fresh addresses for whoever may enter a shared folder",
        OPENING,
    ),
    mutation("server/doorbell.py", "folder.lstat()", "folder.stat()", "gate: a link as the private folder", OPENING),
    mutation(
        "server/page.py",
        " and not path.is_symlink()",
        "",
        "gate: files are served through links",
        OPENING,
    ),
    # what is said and written
    mutation(
        "session/shelf.py",
        "raise NotFound(_cannot_be_opened(name))",
        "raise NotFound(_cannot_be_opened(place))",
        "gate: a path in the error of a run",
        PATHS,
    ),
    mutation(
        "server/telling.py",
        'Problem(500, "something went wrong inside regard; the terminal says what")',
        "Problem(500, str(__))",
        "gate: the words of an exception in an error",
        PATHS,
    ),
    mutation(
        "server/trainers.py",
        'last.replace(str(self.runs.resolve()), "runs")',
        "last",
        "gate: a path in what a trainer said last",
        PATHS,
    ),
    mutation("views/offline.py", '.replace("<", "\\\\u003c")', "", "gate: < unescaped in files", OFFLINE),
    mutation(
        "views/offline.py",
        "html.escape(title[:120])",
        "title[:120]",
        "gate: the title of a file is markup",
        OFFLINE,
    ),
)
