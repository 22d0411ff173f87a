"""What the two processes of `test_processes.py` do: the same updates alone, with copies and with parts, measured.

torchrun --nproc-per-node 2 together.py RESULT.json
"""

import json
import os
import sys
from collections import Counter
from dataclasses import asdict

import numpy as np
import torch

from regard.attending.masks import causal
from regard.models.generate import Choice, generate
from regard.models.network import Network
from regard.training.beginning import starting_parameters
from regard.training.data import Mixture, Tokens
from regard.training.loop import Trainer
from regard.training.placement import Alone, Copies, placement_of, whole
from regard.training.presets import Plan, Sizes
from regard.training.processes import Processes, joined
from regard.training.settings import TrainingSettings

VARIANTS = {
    "rows that do not divide, added up": {"sizes": {}, "training": {"batch": 5, "accumulate": 3}},
    "muon": {
        "sizes": {"mlp": "swiglu", "norm": "rms", "positions": "rotary"},
        "training": {"optimiser": "muon", "dropout": 0.1},
    },
    "compiled": {"sizes": {"kv_heads": 1, "tied": False}, "training": {"compile": True}},
}
VOCABULARY = 61


def texts(seed: int) -> Mixture:
    ids = np.random.default_rng(seed).integers(0, VOCABULARY, 900)
    return Mixture({"text": Tokens(ids)}, {"text": 1.0})


def trained(placement: Alone, variant: dict) -> dict:
    """The reports of a few updates, a text that the model writes, its parameters, and how often it was sent around."""
    training = {"updates": 4, "batch": 4, "window": 11, "evaluate_every": 2, "evaluate_batches": 2, "rate": 0.01}
    plan = Plan(Sizes(**{"width": 32, "layers": 2, "heads": 2} | variant["sizes"]),
                TrainingSettings(**training | variant["training"]))  # fmt: skip
    settings = plan.sizes.settings(VOCABULARY, plan.training.window)
    network = Network(settings, starting_parameters(settings, 5), causal)  # it drops nothing, whatever is drawn
    torch.manual_seed(11)
    learner = Trainer(network, plan.training, "cpu", placement)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        reports = [asdict(report) for report in learner.train(texts(1), texts(2))]
    events = profile.profiler.kineto_results.events()  # counted as they are: sorting them into a table takes seconds
    written = list(generate(network, [1, 2, 3], Choice(), 9))
    placement.give_back()
    return {
        "reports": reports,
        "written": written,
        "parameters": {name: whole(p.detach()).flatten()[::7].tolist() for name, p in network.by_name.items()},
        "held here": sum(p.to_local().numel() if placement.in_parts else p.numel() for p in network.by_name.values()),
        "drew from": torch.initial_seed(),
        "sent": dict(Counter(e.name() for e in events if e.name().startswith("gloo:"))),
    }


def main(result: str) -> None:
    torch.set_num_threads(1)
    compiled = torch.compile
    torch.compile = lambda f, fullgraph: compiled(f, fullgraph=fullgraph, backend="eager")  # one graph, not built
    with joined() as us:
        found = {}
        for name, variant in VARIANTS.items():
            ways = {"alone": Alone(), "copies": Copies(us), "parts": placement_of(us, sharded=True)}
            found[name] = {way: trained(placement, variant) for way, placement in ways.items()}
        flags = [us.most(us.rank == 1), us.most(0), us.told(us.rank + 7), Processes().most(3)]
        with open(f"{result}.{us.rank}", "w", encoding="utf-8") as file:
            json.dump({"found": found, "flags": flags, "interface": os.environ["GLOO_SOCKET_IFNAME"]}, file)


if __name__ == "__main__":
    main(sys.argv[1])
