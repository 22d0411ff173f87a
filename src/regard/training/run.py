"""One training run in its folder: text → tokens → model → updates, with checkpoints to resume from.

FOLDER/tokens/        the text as numbers: what is learned from, and what is held out
FOLDER/checkpoints/   the model, its tokenizer and all that the next update needs
FOLDER/losses.jsonl   one line for each update
FOLDER/film.safetensors   what its heads did meanwhile, if it is filmed
"""

import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from regard import strangers
from regard.checkpoints.places import fallback_notes
from regard.models.description import described, settings_of
from regard.models.network import Network
from regard.models.parameters import blank_parameters
from regard.replacing import replacing
from regard.text.bpe import BPE
from regard.training import checkpoint, computing, listening
from regard.training.beginning import starting_parameters
from regard.training.computing import Computed
from regard.training.corpus import Corpus
from regard.training.embeddings import begun_with
from regard.training.filming import Camera, camera_of
from regard.training.folder import FILM, LOSSES, SHARDS, TOKENS
from regard.training.loop import NotANumber, Report, Trainer
from regard.training.memory import check_that_it_fits
from regard.training.patience import Patience
from regard.training.placement import part_here, placement_of
from regard.training.presets import Plan
from regard.training.processes import ALONE, Processes
from regard.training.randomness import random_state, restore_random_state
from regard.training.source import Source
from regard.training.tasks import Task, task_of
from regard.training.tensors import Tensors
from regard.vectors.wordvectors import WordVectors


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """Everything that one run consists of. `reports` makes it go."""

    folder: Path
    task: Task
    plan: Plan
    source: Source  # the text it learns from
    bpe: BPE
    classes: tuple[str, ...]
    tokens: Any  # what is learned from and what is held out, as the task has it
    sentence: str  # what samples begin with
    trainer: Trainer
    patience: Patience
    notes: tuple[str, ...] = ()
    computed: tuple[Computed, ...] = ()  # with what, since which update
    camera: Camera | None = None  # if the run is filmed

    @property
    def updates(self) -> int:
        return self.trainer.updates

    @property
    def ended(self) -> bool:
        return self.updates >= self.plan.training.updates or self.patience.over

    @cached_property
    def _tokens_per_character(self) -> float | None:
        return self.task.tokens_per_character(self.tokens, self.bpe)

    def bits_per_character(self, loss: float) -> float | None:
        """A held-out loss, which is in nats per token, as it can be compared between vocabularies."""
        tokens = self._tokens_per_character
        return None if tokens is None else loss * tokens / math.log(2)

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
                if self.camera is not None and report.update % self.camera.every == 0:
                    self.camera.look(report.update, report.loss)
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
        kept = self.trainer.placement.kept(network.by_name, self.trainer.state(), beside)
        try:
            processes.first_does(lambda: self._sealed(*kept))
            if self.camera is not None:
                self.camera.save()
        finally:
            if self.trainer.placement.in_parts and processes.first:
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
                **self.source.data(),
                "tokens": self.tokens.digest,
                "sentence": self.sentence,
            },
            model=model,
            training={**training, **random_tensors},
            state={"random": random_plain, "patience": self.patience.data(), "computed": computing.data(self.computed)},
            tokenizer=self.bpe.save(),
            shards=shards,
            best=self.patience.best,
        )

    def sample(self) -> str:
        """What the model can do, as it stands."""
        said = self.task.shown(self.trainer.network, self.bpe, self.sentence, self.tokens, self.classes)
        self.trainer.placement.give_back()
        return said


def begin(
    task: Task,
    text: Corpus,
    paths: Sequence[Path],
    folder: Path,
    plan: Plan,
    device: torch.device | None = None,
    embeddings: WordVectors | None = None,
) -> TrainingRun:
    """A new run. Update 0 is saved, so there is always something to resume from."""
    bpe, classes = task.bpe(text, plan.sizes.vocabulary), task.classes(text)
    tokens = task.tokens(text, bpe, folder / TOKENS, plan.training.window)
    settings = task.settings(plan.sizes, bpe, plan.training.window, classes)
    torch.manual_seed(plan.training.seed)
    parameters, notes = starting_parameters(settings, plan.training.seed), text.notes
    if embeddings is not None:
        parameters["E"], said = begun_with(embeddings, parameters["E"], [bpe.decode([i]) for i in range(bpe.size)])
        notes = (*notes, said)
    network = Network(settings, parameters, task.visible, plan.training.dropout)
    trainer = Trainer(network, plan.training, device or ALONE.device)
    patience = Patience(plan.training.patience)
    source, sentence = Source.of(text, paths, folder), task.sentence(tokens, bpe)
    computed = (computing.computed_here(0, ALONE),)
    for old in (LOSSES, FILM):
        (folder / old).unlink(missing_ok=True)
    camera = camera_of(network, bpe.vocabulary, folder, plan.training.film_every, 0)
    run = TrainingRun(
        folder, task, plan, source, bpe, classes, tokens, sentence, trainer, patience, notes, computed, camera
    )
    run.save()
    return run


def begin_together(
    task: Task,
    text: Corpus | None,
    paths: Sequence[Path],
    folder: Path,
    plan: Plan,
    processes: Processes,
    embeddings: WordVectors | None = None,
) -> TrainingRun:
    """A new run of several processes: the first, which has the text, begins it, and all go on from what it saved."""
    begun = processes.first_does(
        lambda: begin(task, text, paths, folder, plan, torch.device("cpu"), embeddings) if text else None
    )
    run = resumed(folder, (), None, {}, processes)
    return replace(run, notes=(*(begun.notes if begun else ()), *run.notes))


def resumed(
    folder: Path,
    paths: Sequence[Path],
    task_asked: str | None,
    values: Mapping[str, Any],
    processes: Processes = ALONE,
) -> TrainingRun:
    """A run that was stopped, from its newest whole checkpoint: it makes the very updates it would have made.

    It has kept its text. Paths are compared with it, and read where what was kept is damaged.
    """
    saved, plan, patience, bpe, task = processes.each_does(lambda: _opened(folder, task_asked, values, processes))
    if processes.most(saved.step != processes.told(saved.step)):
        raise ValueError(f"process {processes.rank} finds update {saved.step} in {folder}; do all see the same folder?")
    source, digest = Source.remembered(saved.config), str(saved.config.get("tokens"))

    def tokens_again() -> Any:
        return _tokens_again(task, source, paths, folder, bpe, plan, digest)

    if paths:
        processes.first_does(lambda: source.check(task.read(paths), folder))
    processes.first_does(tokens_again)
    tokens = processes.each_does(tokens_again)
    placement = placement_of(processes, plan.training.sharded)
    settings = settings_of(saved.config.get("model"))
    with torch.device("meta" if placement.in_parts else "cpu"):
        network = Network(settings, blank_parameters(settings), task.visible, plan.training.dropout)
    trainer = Trainer(network, plan.training, processes.device, placement)
    trainer.restore(saved.step, *placement.opened(saved, network.by_name))
    notes = [*fallback_notes(saved.passed_over, saved.step), *source.notes(paths, folder)]
    computed, moved = computing.continued(
        computing.remembered(saved.state.get("computed")), computing.computed_here(saved.step, processes)
    )
    notes += [
        *moved,
        *restore_random_state(saved.training, saved.state.get("random", {})),
        *listening.warning(processes),
    ]
    processes.first_does(lambda: _forget_after(folder / LOSSES, saved.step))
    sentence, classes = str(saved.config.get("sentence")), tuple(map(str, saved.config.get("classes") or ()))
    every = plan.training.film_every if processes.first else 0
    camera = camera_of(network, bpe.vocabulary, folder, every, saved.step)
    return TrainingRun(
        folder, task, plan, source, bpe, classes, tokens, sentence, trainer, patience, tuple(notes), computed, camera
    )


def _opened(
    folder: Path, task_asked: str | None, values: Mapping[str, Any], processes: Processes
) -> tuple[checkpoint.Checkpoint, Plan, Patience, BPE, Task]:
    """What a run is resumed from, if it can be; of a model in parts, the large tensors are left where they are."""
    saved = checkpoint.load_small(folder) if processes.count > 1 else checkpoint.load(folder)
    task = task_of(str(saved.config.get("task")))
    if task_asked not in (None, task.name):
        raise ValueError(f"{folder} learns the task {task.name}; {task_asked} needs another folder (--out)")
    plan = Plan.of(saved.config.get("plan")).resumed_with(values)
    check_that_it_fits(plan, task, processes)
    if plan.training.batch < processes.count:
        raise ValueError(
            f"a batch of {plan.training.batch} rows cannot be divided among {processes.count} processes; "
            f"start fewer, or train a new run with --set batch={processes.count} or more"
        )
    if processes.count > 1 and not plan.training.sharded:
        saved = checkpoint.load(folder)
    patience = Patience.of(plan.training.patience, saved.state.get("patience"))
    if patience.over:
        raise ValueError(
            f"{folder} has stopped because {patience.since} evaluations were not better than that of update "
            f"{patience.best:,}; --set patience={2 * patience.most} continues"
        )
    if saved.step >= plan.training.updates:
        raise ValueError(
            f"{folder} has made all of its {plan.training.updates:,} updates; "
            f"--set updates={2 * plan.training.updates} continues"
        )
    if saved.tokenizer is None:
        raise ValueError(
            f"{saved.path} has no tokenizer, so it is not of a run of regard; train a new one in another folder"
        )
    return saved, plan, patience, BPE.load(saved.tokenizer), task


def _tokens_again(
    task: Task, source: Source, paths: Sequence[Path], folder: Path, bpe: BPE, plan: Plan, digest: str
) -> Any:
    """The tokens of before, from beside the run or from the text anew; others would make another run of it."""
    with suppress(OSError, ValueError, EOFError):  # missing or damaged: made again
        tokens = task.opened(folder / TOKENS)
        if tokens.digest == digest:
            return tokens
    text = task.read(paths or source.files(folder))
    source.check(text, folder)
    tokens = task.tokens(text, bpe, folder / TOKENS, plan.training.window)
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
        with strangers.opened(losses.parent, losses.name) as (before, _), replacing(losses) as after:
            for line in islice(before, update):
                after.write(line if line.endswith(b"\n") else b"")
