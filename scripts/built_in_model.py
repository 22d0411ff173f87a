"""Trains the built-in models from four texts: the exact way, so that anybody can do it again.

    python scripts/built_in_model.py --data FOLDER --out FOLDER                  (english: predicts the next word)
    python scripts/built_in_model.py --data FOLDER --out FOLDER --task masked    (masked: guesses hidden words)
    python scripts/built_in_model.py --data FOLDER --out FOLDER --seed 2 --film --updates 3000    (english's sister)

FOLDER has stories.txt.xz, children.txt.xz, novels.txt.xz and wiki.txt.xz, whose documents end with <|endoftext|>.
Two in a hundred documents of each text are held out, by a fixed seed (of the novels, two in a hundred parts of 20,000
characters). Writes model.safetensors (float16), tokenizer.json and report.json.
"""

import argparse
import json
import lzma
import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from regard.attending.masks import both, causal
from regard.models import english, masked
from regard.models.network import Network
from regard.models.parameters import random_parameters
from regard.text.bpe import BPE
from regard.text.tokenizer import END
from regard.training.data import Batches, Mixture, Tokens
from regard.training.filming import Camera, camera_of
from regard.training.loop import Trainer
from regard.training.masking import Masked
from regard.training.settings import TrainingSettings

SHARES = {"stories": 0.13, "children": 0.08, "novels": 0.27, "wiki": 0.52}
VOCABULARY, WINDOW, SEED = 8192, 256, 1
USUAL = {
    "next": {"updates": 13_500, "rate": 4e-3, "matrix_rate": 0.02, "dropout": 0.1},
    "masked": {"updates": 10_500, "rate": 2e-3, "matrix_rate": 0.01, "dropout": 0.0},
}
LOOKS = 100  # at all heads, in a film
PART = 20_000  # characters of a novel that are held out or read together


Texts = dict[str, tuple[list[str], list[str]]]  # by name: documents to learn from, and those held out


def documents(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    found = [d.strip() for d in text.split(END) if d.strip()]
    if len(found) > 200:
        return found
    return [d[i : i + PART] for d in found for i in range(0, len(d), PART)]


def parted(found: list[str]) -> tuple[list[str], list[str]]:
    """The documents to learn from, and those held out."""
    order = np.random.default_rng(SEED).permutation(len(found))
    held = set(order[: max(1, round(0.02 * len(found)))].tolist())
    return [d for i, d in enumerate(found) if i not in held], [d for i, d in enumerate(found) if i in held]


def encoded(bpe: BPE, found: list[str]) -> np.ndarray:
    end = bpe.engine.token_to_id(END)
    rows = (np.array([*e.ids, end], dtype=np.uint16) for e in bpe.engine.encode_batch(found))
    return np.concatenate(list(rows))


@torch.no_grad()
def bits_per_character(network: Network, bpe: BPE, held_out: list[str], device: str, stride: int) -> float:
    """The surprise of held-out documents in bits, over their characters. Each token sees at least WINDOW − stride
    tokens of its document and of what stood before it, but for the very first."""
    network.eval()
    ids = torch.from_numpy(encoded(bpe, held_out).astype(np.int64))
    total = 0.0
    starts = list(range(0, len(ids) - 1, stride))
    for group in range(0, len(starts), 64):
        rows, targets = [], []
        for start in starts[group : group + 64]:
            first = max(0, start - (WINDOW - stride))
            row = ids[first : first + WINDOW + 1]
            target = row[1:].clone()
            target[: start - first] = -1
            pad = WINDOW - len(target)
            rows.append(torch.nn.functional.pad(row[:-1], (0, pad)))
            targets.append(torch.nn.functional.pad(target, (0, pad), value=-1))
        x, y = torch.stack(rows).to(device), torch.stack(targets).to(device)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = network(x)
        total += float(
            torch.nn.functional.cross_entropy(
                logits.float().flatten(0, 1), y.flatten(), ignore_index=-1, reduction="sum"
            )
        )
    characters = sum(len(d) for d in held_out)
    return total / math.log(2) / characters


@torch.no_grad()
def guesses(network: Network, bpe: BPE, held_out: list[str], device: str, draws: int) -> dict[str, float]:
    """How well hidden words of held-out documents are guessed: bits, and the share that is right."""
    network.eval()
    assert bpe.mask is not None
    texts = Masked(Mixture({"text": Tokens(encoded(bpe, held_out))}, {"text": 1.0}), bpe.mask, bpe.size)
    bits, right, asked = 0.0, 0, 0
    for draw in range(draws):
        ids, targets, places = (torch.as_tensor(a).to(device) for a in texts.batch(64, WINDOW, 2**31, draw))
        logits = network(ids, places=places).float()
        bits += float(torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum"))
        right += int((logits.argmax(-1) == targets).sum())
        asked += targets.numel()
    return {"bits": bits / math.log(2) / asked, "right": right / asked, "words": asked}


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", choices=("next", "masked"), default="next")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--updates", type=int)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--dropout", type=float)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--matrix-rate", type=float)
    parser.add_argument("--weight-decay", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--film", action="store_true", help="look at all heads a hundred times meanwhile")
    parser.add_argument("--quick", action="store_true", help="no compile, for a machine without a GPU")
    arguments = parser.parse_args()
    for name, usual in USUAL[arguments.task].items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, usual)
    return arguments


def tokenizer_for(texts: Texts, task: str, out: Path) -> BPE:
    """Learned from some of every text, or the one of before, from beside the folder that is written."""
    cache = out.parent / f"{task}.tokenizer.json"
    if cache.exists():
        bpe = BPE.load(cache.read_bytes())
    else:
        sample = [d[:20_000] for learn, _ in texts.values() for d in learn[:: max(1, len(learn) // 600)]]
        bpe = BPE.learned(sample, VOCABULARY, masks=task == "masked")
    cache.write_bytes(bpe.save())
    (out / "tokenizer.json").write_bytes(bpe.save())
    return bpe


def mixtures(texts: Texts, bpe: BPE, task: str, out: Path) -> list[Batches]:
    """What is learned from, each text with its share, and what is held out."""
    learn, check = {}, {}
    for name, (a, b) in texts.items():
        file = out.parent / f"{task}.{name}.npy"
        if not file.exists():
            np.save(file, encoded(bpe, a))
        learn[name], check[name] = Tokens(np.load(file)), Tokens(encoded(bpe, b))
        each = sum(map(len, a)) / len(learn[name])
        print(f"{name}: {len(a)} documents, {len(learn[name]):,} tokens, {each:.2f} characters each", flush=True)
    both_sides = [Mixture(learn, SHARES), Mixture(check, dict.fromkeys(SHARES, 1.0))]
    if bpe.mask is None:
        return [*both_sides]
    return [Masked(mixture, bpe.mask, bpe.size) for mixture in both_sides]


def trained(trainer: Trainer, learn: Batches, check: Batches, camera: Camera | None) -> list[dict[str, Any]]:
    """All updates; what was printed of them, as numbers."""
    curve, began, warm = [], time.perf_counter(), None
    for report in trainer.train(learn, check):
        if camera is not None:
            camera.look(report.update, report.loss)
        if report.update == 20:
            warm = time.perf_counter()
        if report.validation:
            done = (report.update - 20) * trainer.settings.batch * WINDOW
            speed = done / (time.perf_counter() - warm) if warm else 0
            curve.append({"update": report.update, "loss": report.loss, "validation": report.validation})
            held = "  ".join(f"{n} {v:.3f}" for n, v in report.validation.items())
            passed = f"{speed / 1e6:.2f} M tokens/s  {time.perf_counter() - began:.0f} s"
            print(f"{report.update:6d}  loss {report.loss:.3f}  {held}  {passed}", flush=True)
    return curve


def measured(network: Network, bpe: BPE, texts: Texts, device: str) -> dict[str, Any]:
    """How good it is on the documents held out."""
    if bpe.mask is not None:
        return {"hidden_words": {n: guesses(network, bpe, held, device, 32) for n, (_, held) in texts.items()}}
    return {
        name: {n: bits_per_character(network, bpe, held, device, stride) for n, (_, held) in texts.items()}
        for name, stride in (("bits_per_character", 128), ("bits_per_character_without_overlap", WINDOW))
    }


def main() -> None:
    arguments = asked()
    task, out = arguments.task, arguments.out
    out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(arguments.seed)
    started = time.perf_counter()
    texts = {name: parted(documents(arguments.data / f"{name}.txt.xz")) for name in SHARES}
    bpe = tokenizer_for(texts, task, out)
    learn, check = mixtures(texts, bpe, task, out)
    print(f"tokens ready after {time.perf_counter() - started:.0f} s", flush=True)

    training = TrainingSettings(
        updates=arguments.updates, batch=arguments.batch, window=WINDOW, rate=arguments.rate,
        matrix_rate=arguments.matrix_rate, weight_decay=arguments.weight_decay, dropout=arguments.dropout,
        optimiser="muon", precision="bfloat16", compile=not arguments.quick, seed=arguments.seed, final_rate=0.02,
        warm_up_share=0.02, evaluate_every=max(50, arguments.updates // 12), evaluate_batches=4,
    )  # fmt: skip
    settings, visible = (masked.settings(), both) if task == "masked" else (english.settings(), causal)
    network = Network(settings, random_parameters(settings, arguments.seed, 0.02), visible, training.dropout)
    print(f"{network.size:,} parameters on {device}, torch {torch.__version__}", flush=True)
    began = time.perf_counter()
    trainer = Trainer(network, training, device)
    every = max(1, arguments.updates // LOOKS) if arguments.film else 0
    camera = camera_of(network, bpe.vocabulary, out, every, 0)
    curve = trained(trainer, learn, check, camera)
    seconds = time.perf_counter() - began
    if camera is not None:
        camera.save()
    half = {n: p.detach().half().cpu().contiguous() for n, p in network.by_name.items()}
    for name, p in network.by_name.items():  # what is measured is what is shipped
        p.data.copy_(half[name].float())
    found = measured(network, bpe, texts, device)
    for name, numbers in found.items():
        print(name, json.dumps(numbers), flush=True)
    save_file(half, out / "model.safetensors")
    report = {
        "parameters": network.size, "seconds": seconds,
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "torch": torch.__version__, "training": asdict(training), "shares": SHARES, "curve": curve,
        **found,
        "arguments": {k: str(v) for k, v in vars(arguments).items() if k not in ("data", "out")},
    }  # fmt: skip
    (out / "report.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
