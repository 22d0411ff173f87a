"""Whoever reads one of the documents and looks a word of it up finds it, however it is spelled there or typed."""

import pytest

from regard.cli.main import run
from regard.lessons.glossary import glossary, meanings, spelling
from regard.suggestions import NotFound

# what each document says, in its own spelling: the word that answers it, or the words where people mean several
WORDS = {
    "No-Magic Explanation of Attention Score Calculation": {
        "weights": ("attention weights", "attention weight", "weight"),
        "query": ("Query", "Q", "queries", "query vector"),
        "key": ("Key", "K"),
        "scores": (
            "score",
            "raw scores",
            "Q · K",
            "Q·K",
            "scoring functions",
            "comparison function",
            "dot product score",
        ),
        "scores weights": ("attention score", "attention scores", "Attention Score"),
        "embedding": ("embedding vector", "embeddings", "base embeddings", "input embedding", "word vectors"),
        "vector": ("vectors", "column vector", "representation"),
        "projection": ("projections", "vector projections", "learnable projection", "projected vectors"),
        "matrix": ("matrices", "learnable matrices", "weight matrices", "projection matrix"),
        "W_Q": ("Wq", "W_q", "wq"),
        "W_K": ("Wk", "W_k", "WK"),
        "matrix product": ("@", "matrix multiplication", "matmul"),
        "initialisation": ("random values", "initialization"),
        "update": ("gradient descent", "updates", "gradient-driven updates"),
        "space": ("vector space", "vector spaces", "similarity space", "embedding space", "Q/K space", "V space"),
        "dot product": ("dot products", "dot-product", "Dot_Product"),
        "cosine": ("aligned", "alignment", "orthogonal", "similarity"),
        "direction": ("learned direction", "directions"),
        "meaning": ("meanings", "interpretable meaning"),
        "relation meaning": ("semantics", "semantic"),
        "relation": ("subject", "object", "Relational Properties", "syntactic", "temporal", "semantic roles"),
        "pressure": ("training pressure", "Training-Pressure", "specialize", "specialise"),
        "training": ("training loop", "training loops", "optimization", "optimisation", "converge"),
        "task": ("prediction task", "next word prediction", "classification"),
        "target": ("next word", "next words", "ground truth", "Ground Truth", "true word"),
        "blame": ("gradient", "gradients"),
        "context": ("context vector", "context_vector", "Context Vectors", "weighted sum", "context-aware blend"),
        "value": ("V", "V vectors", "Intrinsic Properties", "informational content", "content representation"),
        "reads writes": ("vocabulary", "vocab", "vocabularies"),
        "W_out": ("Wout", "W_vocab", "vocab projection", "vocab projection matrix", "vocab projection layer"),
        "logits": ("logit", "Logits", "vocab logits"),
        "softmax": ("Softmax", "soft-max", "normalize", "normalise"),
        "probabilities": ("probs", "probability"),
        "predicted": ("argmax", "predicted_word", "prediction", "predictions"),
        "attention": ("Attention Mechanism", "self-attention", "self attention", "attend to"),
        "loss": ("losses", "prediction error"),
        "backward": ("backprop", "backpropagation", "backward pass", "gradients flow"),
        "roles": ("Q/K/V", "QKV", "Wq/Wk/Wv"),
    },
    "How Attention Scores Are Computed": {
        "key": ("keys", "Key vectors"),
        "value": ("Value vectors",),
        "scores flow": ("relevance",),
        "scores": ("raw attention scores", "QK^T"),
        "scaled": ("scaling", "scaled scores", "√d_k", "sqrt(d_k)"),
        "head_width": ("d_k", "dk", "dimension of the key vectors", "head dimension"),
        "distribution": ("normalized weights", "normalised weights", "probability distribution", "distributions"),
    },
    "Attention Mechanism: Deep Dive Q&A": {
        "token": ("tokens", "input tokens", "past tokens"),
        "W_V": ("Wv", "W_v", "value projection"),
        "W_Q": ("query projection",),
        "roles": ("filing cabinet", "filing cabinets", "library"),
        "antecedent": ("antecedents", "pronoun"),
        "scores": ("match scores", "matching"),
        "key target": ("label", "labels"),
        "value": ("semantic content", "content"),
        "vector": ("dense vectors", "input vector", "output vector"),
        "weights": ("attention weight matrix",),
        "row": ("rows", "row i"),
        "cell": ("entry", "entries"),
        "attention": ("multi-head attention", "single-head attention", "multi head attention"),
        "context": ("weighted average",),
        "position": ("positions", "positional", "positional encoding"),
        "head": ("head", "attention head"),
        "distribution": ("attention distributions",),
        "concat": ("concatenation", "concatenating heads", "concatenate", "torch.cat", "slice", "orthogonal subspaces"),
        "W_O": ("WO", "w_o", "W_O projection", "learned weighted sum"),
        "interference": ("crosstalk",),
        "shape": ("shapes", "dims", "dim"),
        "text": ("sequence", "sequences", "seq_len", "sequence length", "sentence"),
        "width": ("feature dimension", "input dimension"),
        "width shape": ("dimension", "dimensions"),
        "parameters": ("learned weights", "learned parameters", "learnable"),
        "generalisation": ("generalize", "generalizes", "new sequences"),
        "projection": ("semantic transformations", "learned transformation", "function"),
        "cluster": ("clusters", "clustering", "similar words"),
        "rotation": ("geometric transformation", "45° rotation", "rotate"),
        "differentiable": ("differentiable",),
        "embedding": ("word embeddings", "word-embedding"),
        "static embedding": ("Word2Vec", "word2vec", "GloVe"),
        "analogy": ("king - man + woman", "king − man + woman"),
        "direction": ("royalty direction", "gender direction"),
        "model": ("neural networks", "neural network"),
    },
    "The Math Behind Attention": {
        "static embedding": ("static embeddings", "Static-Embedding", "traditional embeddings"),
        "homonym": ("homonymic", "homonyms", "apple paradox"),
        "neighbour": ("neighbors", "neighbours"),
        "gravity": ("contextual gravity", "gravitational pull", "pull"),
        "vector": ("vector representation",),
        "space": ("similarity space",),
        "transpose": ("K^T", "Wout.T"),
        "value": ("information carrier",),
        "attention": ("attention loop",),
    },
    "Attention Mechanism - Toy Example (Fox Sentence)": {
        "toy": ("toy example", "toy sentence"),
        "transformer": ("Transformer", "GPT"),
        "causal": ("unidirectional", "causal mask", "masked attention", "masked-attention"),
        "both": ("bidirectional", "BERT", "BERT-style models"),
        "weights": ("α", "alpha", "Alpha"),
        "text": ("input sequence",),
        "cluster": ("region",),
        "generation": ("generate", "sampling"),
        "W_O W_out": ("output projection", "output projections", "Output-Projection"),
        "W_out": ("output projection layer", "Wout"),
        "forward": ("forward pass",),
        "loss surprise": ("cross entropy", "cross-entropy", "Cross_Entropy", "crossentropy"),
        "training": ("convergence",),
    },
    "The words that a reader of all five meets next": {
        "one-hot": ("one hot", "one-hot vectors"),
        "residual": ("residuals", "skip connection"),
        "visible": ("mask", "masks", "attention mask"),
        "heads": ("Heads", "num heads"),
    },
}


@pytest.mark.parametrize("document", WORDS)
def test_every_word_of_a_document_is_found(document):
    for names, asked in WORDS[document].items():
        expected = [names] if names in {entry.name for entry in glossary()} else names.split()
        assert {name: [found.name for found in meanings(name)] for name in asked} == dict.fromkeys(asked, expected)


def test_what_has_two_meanings_shows_both(capsys):
    assert run(["glossary", "output projection"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("W_O ") and "\nW_out " in printed


def test_spelling_joins_no_two_words_but_head_and_heads():
    names = [spelling(entry.name) for entry in glossary()]
    assert {name for name in names if names.count(name) > 1} == {"head"}


@pytest.mark.parametrize("unknown", ["", "_", "s", "zebra", "context switch"])
def test_nothing_is_found_that_was_not_asked_for(unknown):
    with pytest.raises(NotFound, match="no word"):
        meanings(unknown)


def test_every_name_fits_its_column(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["glossary"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
