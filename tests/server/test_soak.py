"""The same work again and again: memory and file handles stay where they are. benchmarks/server.py soaks for longer."""

import json


def test_repeated_work_leaves_nothing_behind(server):
    (server.folder / "runs/soak").mkdir(parents=True, exist_ok=True)
    (server.folder / "runs/soak/losses.jsonl").write_text('{"update": 1, "loss": 1.0}\n')
    fox = {"text": "The quick brown fox", "next": "jumps"}

    def work() -> None:
        for number in range(40):
            changes = [{"kind": "edit", "cell": "weights[fox,fox]", "value": 0.01 * number}]
            server.post("/api/explain", **fox, changes=changes, check=False)
            server.post("/api/why", **fox, changes=changes, cell="loss", depth=3)
            server.post("/api/values", text=f"{'fox ' * (1 + number % 20)}", step="weights")
            server.post("/api/explain", text="The fox", model=f"no-{number}")
            server.raw(b"nonsense\r\n\r\n")
        for _ in range(5):
            with server.watch() as watching:
                watching.send(json.dumps({"kind": "watch", "name": "soak"}))
                watching.recv(60)

    work()
    work()
    memory, handles = server.memory, server.handles
    for _ in range(3):
        work()
    assert server.memory - memory < 6 * 2**20
    assert server.handles <= handles
