"""The second example in cards: three words, a guess of pizza, and how it is unlearned."""

from regard.lessons.cards.card import Card

CARDS = (
    Card(
        title="Three words",
        place="004:187",
        stage=6,
        says="brown reads The with {weights[brown,The]|1}, quick with {weights[brown,quick]|1} and itself with "
        "{weights[brown,brown]|1}. The first numbers of the values are {v[The,0]|1}, {v[quick,0]|1} and "
        "{v[brown,0]|1}.",
        asks="What is the first number of the context?",
        answer="context[brown,0]",
        hint="Each value times its weight, added up.",
        reveals="[{context[brown,0]|2}, {context[brown,1]|2}], exactly as the document has it.",
        mistakes=("summed", "averaged", "most attended"),
        row="brown",
    ),
    Card(
        title="The logit of pizza",
        place="004:208",
        stage=8,
        says="The row of pizza in W_out is [{W_out[pizza,0]|1}, {W_out[pizza,1]|1}].",
        asks="What is its logit, to 3 decimals?",
        answer="logits[pizza]",
        hint="{W_out[pizza,0]|1} · {read[0]|2} + {W_out[pizza,1]|1} · {read[1]|2}.",
        reveals="{logits[pizza]|3}; fox has {logits[fox]|3}. The difference is small, and decides.",
        mistakes=("one logit product", "own vector"),
        decimals=3,
    ),
    Card(
        title="Its share",
        place="004:213",
        stage=9,
        says="The logits are {logits[apple]|3}, {logits[run]|3}, {logits[fox]|3} and {logits[pizza]|3}. The document "
        "prints "
        "0.28 for the probability of pizza.",
        asks="What is it?",
        answer="probabilities[pizza]",
        hint="e^{logits[pizza]|3} over {logit_total|4}.",
        reveals="{probabilities[pizza]|6}, which rounds to {probabilities[pizza]|2}. That of run is "
        "{probabilities[run]|6}, which rounds to {probabilities[run]|2}: the document prints 0.23.",
        mistakes=("odds", "share of logits", "equal shares"),
    ),
    Card(
        title="Towards fox",
        place="004:227",
        stage=12,
        says="It says {predicted}, and fox follows: fox has {probabilities[fox]|4}. Now come ten updates at rate 0.1.",
        asks="Which word does it say then?",
        answer=lambda run: run.predicted,
        choices="V",
        hint="Every update lowers the loss of fox.",
        reveals="{after: predicted}, with {after: probabilities[fox]|4}; pizza has {after: probabilities[pizza]|4}. "
        "The "
        "context vector points more toward fox.",
        mistakes=("the guess before",),
        changes=({"kind": "update", "rate": 0.1, "times": 10},),
    ),
)  # fmt: skip
