"""Models that say which class a text belongs to: asked of its first piece, through one more map and bend."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from regard.checkpoints.reading import as_object
from regard.models.huggingface.bert import BERT
from regard.models.huggingface.config import must_be, whole
from regard.models.huggingface.distilbert import DISTILBERT
from regard.models.huggingface.layout import Layout, Row
from regard.models.huggingface.roberta import ROBERTA
from regard.models.parts import Pooling
from regard.models.settings import Settings

MOST = 10_000  # classes: more is a mistake, or meant to fill the memory


def classes(config: Mapping[str, Any]) -> tuple[str, ...]:
    """
    >>> classes({"id2label": {"1": "good", "0": "bad"}}), classes({"num_labels": 2})
    (('bad', 'good'), ('LABEL_0', 'LABEL_1'))
    """
    must_be(config, "problem_type", None, "single_label_classification")
    count = whole(config, "num_labels", 2)
    named = config.get("id2label")
    named = {str(i): f"LABEL_{i}" for i in range(min(count, MOST))} if named is None else as_object(named)
    if named is None or not 2 <= len(named) <= MOST or set(named) != {str(i) for i in range(len(named))}:
        raise ValueError(f"id2label in config.json must number 2 to {MOST:,} classes, from 0 on")
    found = [named[str(i)] for i in range(len(named))]
    if not all(isinstance(name, str) and name.strip() for name in found) or len(set(found)) < len(found):
        raise ValueError("id2label in config.json must give every class a name of its own")
    return tuple(found)


def _classifying(layout: Layout, architecture: str, curve: str, *top: Row) -> Layout:
    inside = tuple(row for row in layout.table if row.theirs.startswith(layout.prefix))

    def settings(config: Mapping[str, Any]) -> Settings:
        words = layout.settings(config)
        return replace(words, writes=len(classes(config)), tied=False, transform=Pooling(curve))

    read: Callable[[Mapping[str, Any]], Settings] = settings
    return replace(
        layout,
        said=f"{layout.said}, classes",
        architecture=architecture,
        table=(*inside, *top),
        ignored=tuple(part for part in layout.ignored if part in ("embeddings.position_ids",)),
        copies=(),
        settings=read,
        classes=classes,
    )


CLASSES = (
    _classifying(
        BERT, "BertForSequenceClassification", "tanh",
        Row("bert.pooler.dense.weight", "C,E", "W_transform"),
        Row("bert.pooler.dense.bias", "C", "b_transform"),
        Row("classifier.weight", "V,C", "W_out"),
        Row("classifier.bias", "V", "b_out"),
    ),
    _classifying(
        ROBERTA, "RobertaForSequenceClassification", "tanh",
        Row("classifier.dense.weight", "C,E", "W_transform"),
        Row("classifier.dense.bias", "C", "b_transform"),
        Row("classifier.out_proj.weight", "V,C", "W_out"),
        Row("classifier.out_proj.bias", "V", "b_out"),
    ),
    _classifying(
        DISTILBERT, "DistilBertForSequenceClassification", "relu",
        Row("pre_classifier.weight", "C,E", "W_transform"),
        Row("pre_classifier.bias", "C", "b_transform"),
        Row("classifier.weight", "V,C", "W_out"),
        Row("classifier.bias", "V", "b_out"),
    ),
)  # fmt: skip
