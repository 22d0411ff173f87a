"""What is trained, and how: checked when made, and plain data in a checkpoint."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

# what each kind takes where nothing is asked for; the values its authors published, where they did
USUAL: dict[str, dict[str, Any]] = {
    "skipgram": {"window": 5, "epochs": 5, "rate": 0.025},
    "cbow": {"window": 5, "epochs": 5, "rate": 0.25},
    "glove": {"window": 10, "epochs": 25, "rate": 0.05},
}
KINDS = tuple(USUAL)


@dataclass(frozen=True)
class Settings:
    """How words get their vectors.

    >>> Settings.of("glove", width=50).window, Settings.of("skipgram").window
    (10, 5)
    """

    kind: str
    window: int  # words on each side that count as near
    epochs: int  # how often the text is read
    rate: float  # the learning rate of the first update
    width: int = 100  # numbers per word
    negatives: int = 5  # words drawn at random against each true pair
    least: int = 5  # words that occur less often are left out
    sample: float = 1e-3  # words more frequent than this share are often skipped; 0 skips none
    phrases: float = 0.0  # two words together this much more often than by chance are one (New_York); 0 joins none
    threads: int = 1  # one makes the same vectors every time, to the last bit
    device: str = "cpu"  # or that of torch which is to compute: cuda
    seed: int = 1

    @classmethod
    def of(cls, kind: str, **asked: Any) -> "Settings":
        """The usual settings of a kind, and what is asked for; None is what nobody asked for."""
        if kind not in USUAL:
            raise ValueError(f"kind expects {', '.join(KINDS[:-1])} or {KINDS[-1]}, got {kind!r}")
        return cls(kind, **{**USUAL[kind], **{name: value for name, value in asked.items() if value is not None}})

    @classmethod
    def remembered(cls, data: Any) -> "Settings":
        """What `data` wrote."""
        names = {field.name for field in fields(cls)}
        if not isinstance(data, Mapping) or set(data) != names:
            raise ValueError(f"settings expects {', '.join(sorted(names))}, got {str(data)[:80]}")
        return cls(**data)

    def data(self) -> dict[str, Any]:
        return asdict(self)

    def __post_init__(self) -> None:
        for name in ("window", "epochs", "width", "negatives", "least", "threads"):
            _expect(name, getattr(self, name), int, 1)
        _expect("seed", self.seed, int, 0)
        _expect("sample", self.sample, float, 0)
        _expect("phrases", self.phrases, float, 0)
        if self.device != "cpu" and self.kind != "skipgram":
            raise ValueError(f"{self.kind} is computed on the cpu, got device {self.device!r}; skipgram takes any")
        if not 0 < self.rate < 10:
            raise ValueError(f"rate expects a number between 0 and 10, got {self.rate}")


def _expect(name: str, value: Any, kind: type, least: int) -> None:
    right = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool) and value >= least
    if not right:
        what = "a whole number" if kind is int else "a number"
        raise ValueError(f"{name} expects {what} from {least} on, got {value!r}")
