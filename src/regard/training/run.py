"""One training run in its folder: text → tokens → model → updates, with checkpoints to go on from.

FOLDER/tokens/        the text as numbers: what is learned from, and what is held out
FOLDER/checkpoints/   the model, its tokenizer and all that the next update needs
FOLDER/losses.jsonl   one line for each update
"""

import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from regard.models.description import described, settings_of
from regard.models.network import Network
from regard.models.parameters import blank_parameters
from regard.text.bpe import BPE
from regard.training import checkpoint, listening
from regard.training.beginning import starting_parameters
from regard.training.corpus import Corpus
from regard.training.loop import NotANumber, Report, Trainer
from regard.training.patience import Patience
from regard.training.presets import Plan
from regard.training.processes import ALONE, Processes
from regard.training.randomness import random_state, restore_random_state
from regard.training.spread import part_here, spread_over
from regard.training.tasks import Task, task_of
from regard.training.tensors import Tensors

LOSSES = "losses.jsonl"
SHARDS = ".shards"  # where several processes write their parts before the first moves them into a checkpoint


@dataclass(frozen=True, eq=False)
class Run:
    """Everything that one run consists of. `reports` makes it go."""

    folder: Path
    task: Task
    plan: Plan
    text: str  # what it learns from, by name
    bpe: BPE
    classes: tuple[str, ...]
    tokens: Any  # what is learned from and what is held out, as the task has it
    sentence: str  # what samples begin with
    trainer: Trainer
    patience: Patience
    notes: tuple[str, ...] = ()

    @property
    def updates(self) -> int:
        return self.trainer.updates

    @property
    def ended(self) -> bool:
        return self.updates >= self.plan.training.updates or self.patience.over

    def reports(self) -> Iterator[Report]:
        """One report for each update to come. What is due to be saved is saved before the report is given."""
        tokens = self.tokens
        texts, held_out = (self.task.batches(side, self.bpe) for side in (tokens.learned, tokens.held_out))
        settings = self.plan.training
        file = self.folder / LOSSES if self.trainer.processes.first else Path(os.devnull)
        with file.open("a", encoding="utf-8") as losses:
            for report in self.trainer.train(texts, held_out):
                losses.write(_line(report))
                losses.flush()
                better = bool(report.validation) and self.patience.better(report.update, report.validation["text"])
                if report.update % settings.save_every == 0 or better or self.ended:
                    self.save()
                yield report
                if self.ended:
                    return

    def save(self) -> None:
        """Keep the run as it stands; numbers that have gone wrong are not kept. The first process seals."""
        network, processes = self.trainer.network, self.trainer.processes
        if processes.most(not all(bool(part_here(p).isfinite().all()) for p in network.parameters())):
            raise NotANumber(f"after update {self.updates} some parameters are no numbers; try a lower rate")
        beside = self.folder / SHARDS
        kept = self.trainer.spread.kept(network.by_name, self.trainer.state(), beside)
        try:
            processes.first_does(lambda: self._sealed(*kept))
        finally:
            if self.trainer.spread.in_parts and processes.first:
                shutil.rmtree(beside, ignore_errors=True)

    def _sealed(self, model: Tensors, training: Tensors, shards: Sequence[Path]) -> Path:
        network = self.trainer.network
        random_tensors, random_plain = random_state()
        return checkpoint.save(
            self.folder,
            self.updates,
            config={
                "task": self.task.name,
                "classes": list(self.classes),
                "model": described(network.settings),
                "plan": self.plan.data(),
                "text": self.text,
                "tokens": self.tokens.digest,
                "sentence": self.sentence,
            },
            model=model,
            training={**training, **random_tensors},
            state={"random": random_plain, "patience": self.patience.data()},
            tokenizer=self.bpe.save(),
            shards=shards,
            best=self.patience.best,
        )

    def sample(self) -> str:
        """What the model can do, as it stands."""
        said = self.task.shown(self.trainer.network, self.bpe, self.sentence, self.tokens, self.classes)
        self.trainer.spread.give_back()
        return said


def begin(task: Task, text: Corpus, folder: Path, plan: Plan, device: torch.device | None = None) -> Run:
    """A new run. Update 0 is saved, so there is always something to go on from."""
    bpe, classes = task.bpe(text, plan.sizes.vocabulary), task.classes(text)
    tokens = task.tokens(text, bpe, folder / "tokens", plan.training.window)
    settings = task.settings(plan.sizes, bpe, plan.training.window, classes)
    torch.manual_seed(plan.training.seed)
    network = Network(settings, starting_parameters(settings, plan.training.seed), task.visible, plan.training.dropout)
    trainer = Trainer(network, plan.training, device or ALONE.device)
    patience = Patience(plan.training.patience)
    sentence = task.sentence(tokens, bpe)
    run = Run(folder, task, plan, text.name, bpe, classes, tokens, sentence, trainer, patience)
    (folder / LOSSES).unlink(missing_ok=True)
    run.save()
    return run


def begin_together(
    task: Task, text: Corpus | None, paths: Sequence[Path], folder: Path, plan: Plan, processes: Processes
) -> Run:
    """A new run of several processes: the first, which has the text, begins it, and all go on from what it saved."""
    processes.first_does(lambda: begin(task, text, folder, plan, torch.device("cpu")) if text else None)
    return go_on(paths, folder, {}, processes)


def go_on(paths: Sequence[Path], folder: Path, values: Mapping[str, Any], processes: Processes = ALONE) -> Run:
    """A run that was stopped, from its newest whole checkpoint: it makes the very updates it would have made."""
    saved, plan, patience, bpe, task = processes.each_does(lambda: _opened(folder, values, processes))
    if processes.most(saved.step != processes.told(saved.step)):
        raise ValueError(f"process {processes.rank} finds update {saved.step} in {folder}; do all see the same folder?")
    spread = spread_over(processes, plan.training.sharded)
    digest = str(saved.config.get("tokens"))
    processes.first_does(lambda: _tokens_again(task, paths, folder, bpe, plan, digest))
    tokens = processes.each_does(lambda: _tokens_again(task, paths, folder, bpe, plan, digest))
    settings = settings_of(saved.config.get("model"))
    with torch.device("meta" if spread.in_parts else "cpu"):
        network = Network(settings, blank_parameters(settings), task.visible, plan.training.dropout)
    trainer = Trainer(network, plan.training, processes.device, spread)
    trainer.restore(saved.step, *spread.opened(saved, network.by_name))
    notes = [f"passed over because it is damaged: {line}" for line in saved.passed_over]
    notes += [*restore_random_state(saved.training, saved.state.get("random", {})), *listening.warning(processes)]
    processes.first_does(lambda: _forget_after(folder / LOSSES, saved.step))
    text, sentence = str(saved.config.get("text")), str(saved.config.get("sentence"))
    classes = tuple(map(str, saved.config.get("classes") or ()))
    return Run(folder, task, plan, text, bpe, classes, tokens, sentence, trainer, patience, tuple(notes))


def _opened(
    folder: Path, values: Mapping[str, Any], processes: Processes
) -> tuple[checkpoint.Checkpoint, Plan, Patience, BPE, Task]:
    """What a run goes on from, if it can; of a model in parts, the large tensors are left where they are."""
    saved = checkpoint.load_small(folder) if processes.count > 1 else checkpoint.load(folder)
    plan = Plan.of(saved.config.get("plan")).going_on_with(values)
    if plan.training.batch < processes.count:
        raise ValueError(
            f"a batch of {plan.training.batch} rows cannot be divided among {processes.count} processes; "
            f"start fewer, or train anew with --set batch={processes.count} or more"
        )
    if processes.count > 1 and not plan.training.sharded:
        saved = checkpoint.load(folder)
    patience = Patience.of(plan.training.patience, saved.state.get("patience"))
    if patience.over:
        raise ValueError(
            f"{folder} has stopped because {patience.since} evaluations were not better than that of update "
            f"{patience.best:,}; --set patience={2 * patience.most} goes on"
        )
    if saved.step >= plan.training.updates:
        raise ValueError(
            f"{folder} has made all of its {plan.training.updates:,} updates; "
            f"--set updates={2 * plan.training.updates} goes on"
        )
    if saved.tokenizer is None:
        raise ValueError(f"{saved.path} has no tokenizer, so it is not of a run of ours; train anew in another folder")
    return saved, plan, patience, BPE.load(saved.tokenizer), task_of(str(saved.config.get("task")))


def holds_a_run(folder: Path) -> bool:
    home = folder / "checkpoints"
    return home.is_dir() and any(name[0] != "." for name in os.listdir(home))


def _tokens_again(task: Task, paths: Sequence[Path], folder: Path, bpe: BPE, plan: Plan, digest: str) -> Any:
    """The tokens of before, from beside the run or from the text anew; others would make another run of it."""
    with suppress(OSError, ValueError, EOFError):  # missing or damaged: made again
        tokens = task.opened(folder / "tokens")
        if tokens.digest == digest:
            return tokens
    tokens = task.tokens(task.read(paths), bpe, folder / "tokens", plan.training.window)
    if tokens.digest != digest:
        raise ValueError(
            f"the text is not the one this run began with; give the same text, or choose another folder than {folder}"
        )
    return tokens


def _line(report: Report) -> str:
    """A line without times, so that two runs that did the same wrote the same."""
    numbers = {"update": report.update, "loss": report.loss, "rate": report.rate, "gradient": report.gradient}
    numbers |= {"held_out": report.validation["text"]} if report.validation else {}
    return json.dumps({n: v if math.isfinite(v) else None for n, v in numbers.items()}, allow_nan=False) + "\n"


def _forget_after(losses: Path, update: int) -> None:
    """Lines of updates that were made after the checkpoint, and half a line that a kill left."""
    if losses.exists():
        kept = losses.read_bytes().splitlines(keepends=True)[:update]
        beside = losses.with_name(f".{losses.name}")
        beside.write_bytes(b"".join(line for line in kept if line.endswith(b"\n")))
        os.replace(beside, losses)
