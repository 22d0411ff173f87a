"""How well a flow foretells what happens when an edge is cut: the tables of docs/flow.md.

    python scripts/flow_checks.py

For three sentences the fifty strongest edges are cut one by one; printed are the eight strongest, and the correlation
of what is lost with what flow, gradient × input, attention rollout and integrated gradients expected, over all fifty.
"""

import regard

SENTENCES = (
    ("english", "Once upon a time there was a little"),
    ("english", "The dog ran after the ball because it was"),
    ("masked", "The cat [MASK] on the mat"),
)
SHOWN, CUT = 8, 50


def main() -> None:
    rows = []
    for model, text in SENTENCES:
        flow = regard.explain(text, model=model).flow()
        check = flow.check(CUT)
        told = ["–" if c is None else f"{c:.3f}" for c in check.correlation.values()]
        rows.append(f"| {model}: {text} | {flow.first} − {flow.second} | {' | '.join(told)} |")
        if len(rows) == 1:
            lines = str(check).split("\n")
            print("```text", *lines[: SHOWN + 1], f"… {len(lines) - SHOWN - 2} more", lines[-1], "```", "", sep="\n")
            print(f"| correlation over {CUT} edges with what is lost | margin | {' | '.join(check.expected)} |")
            print("|---|---|" + "---|" * len(check.expected))
    print("\n".join(rows))


if __name__ == "__main__":
    main()
