"""The fox in cards: from a dot product to a word, and to the update that changes it."""

from regard.lessons.cards.card import Card

CARDS = (
    Card(
        title="A score",
        place="004:285",
        stage=3,
        says="fox wants to know whom to read. Its query is compared with every key. In this toy W_Q and W_K leave "
        "vectors as they are, so q(fox) = [{q[fox,0]|2}, {q[fox,1]|2}] and k(brown) = [{k[brown,0]|2}, "
        "{k[brown,1]|2}].",
        asks="What is the score q(fox) · k(brown)?",
        answer="scores[fox,brown]",
        hint="Multiply the first numbers, multiply the second numbers, add the two products.",
        reveals="The longer both vectors, and the more they point the same way, the larger the score. fox fits itself "
        "best here: {scores[fox,fox]|2}.",
        mistakes=("one product", "added", "cosine"),
    ),
    Card(
        title="Scaled",
        place="004:285",
        stage=4,
        says="A sum of many products grows with the number of them. So each score is divided by √d_k, the root of the "
        "head width. Here a head has 2 numbers.",
        asks="The score of brown is {scores[fox,brown]|2}. What is it after scaling?",
        answer="scaled[fox,brown]",
        hint="Divide by √2, about 1.41.",
        reveals="All four scores are divided by the same number: their order stays, their distances shrink. Then a "
        "bias by distance is added, which the document does not have: without it, no W_Q and W_K could give its "
        "weights.",
        mistakes=("not scaled", "by width", "root of score"),
    ),
    Card(
        title="A share of the whole",
        place="004:286",
        stage=5,
        says="With the bias added, e to each score makes every number positive: The {exps[fox,The]|2}, "
        "quick {exps[fox,quick]|2}, brown {exps[fox,brown]|2}, fox {exps[fox,fox]|2}.",
        asks="What weight does fox give itself?",
        answer="weights[fox,fox]",
        hint="Its part of the sum of the row: {exps[fox,fox]|2} over {total[fox]|2}.",
        reveals="The document's 0.75. A weight is not a score: it says how much of the whole goes to a word.",
        mistakes=("not normalised", "over the column", "without exp", "without bias"),
    ),
    Card(
        title="The mix",
        place="004:72",
        stage=6,
        says="Each word's value is multiplied by its weight, and all are added: "
        "{weights[fox,The]|2}·The + {weights[fox,quick]|2}·quick + {weights[fox,brown]|2}·brown "
        "+ {weights[fox,fox]|2}·fox.",
        asks="What is the first number of the context?",
        answer="context[fox,0]",
        hint="The first numbers of the values are {v[The,0]|1}, {v[quick,0]|1}, {v[brown,0]|1} and {v[fox,0]|1}.",
        reveals="The context of fox is [{context[fox,0]|3}, {context[fox,1]|3}]: its own vector, drawn a little "
        "towards the other three.",
        mistakes=("summed", "averaged", "most attended"),
    ),
    Card(
        title="A logit",
        place="004:153",
        stage=8,
        says="Every word that could follow has a row in W_out. That of jumps is [{W_out[jumps,0]|1}, "
        "{W_out[jumps,1]|1}]; the context is [{read[0]|3}, {read[1]|3}].",
        asks="What is the logit of jumps, to 4 decimals?",
        answer="logits[jumps]",
        hint="A dot product again: {W_out[jumps,0]|1} · {read[0]|3} + {W_out[jumps,1]|1} · {read[1]|3}.",
        reveals="The document cuts it off at 0.604. It is exactly between two thousandths, so neither is wrong.",
        mistakes=("one logit product", "own vector"),
        decimals=4,
    ),
    Card(
        title="Which word?",
        place="004:156",
        stage=9,
        says="The logits are apple {logits[apple]|3}, run {logits[run]|3}, fox {logits[fox]|3}, "
        "jumps {logits[jumps]|4}. Softmax makes shares of them.",
        asks="Which word does the model say?",
        answer=lambda run: run.predicted,
        choices="V",
        veils="probabilities",
        hint="Softmax keeps the order: the largest logit gets the largest share.",
        reveals="It says {predicted}. It should say jumps: this toy has not learned yet.",
        mistakes=("the target",),
    ),
    Card(
        title="A probability",
        place="004:158",
        stage=9,
        says="The powers e^logit of the four words add up to {logit_total|4}.",
        asks="What is the probability of jumps?",
        answer="probabilities[jumps]",
        hint="e^{logits[jumps]|4} over {logit_total|4}.",
        reveals="{probabilities[jumps]|6}, which rounds to {probabilities[jumps]|2}. The document prints 0.26 beside "
        "three numbers that are rounded: a mistake, small and easily made.",
        mistakes=("odds", "share of logits", "equal shares"),
    ),
    Card(
        title="The surprise",
        place="004:165",
        stage=10,
        says="The next word is jumps, and the model gave it {probabilities[jumps]|4}.",
        asks="What is the loss?",
        answer="loss",
        hint="−ln of the probability of the actual next word.",
        reveals="Guessing blindly among four words costs ln 4 = 1.3863. The toy does hardly better.",
        mistakes=("log of ten", "no minus", "loss of the guess", "missing share"),
    ),
    Card(
        title="Blame",
        place="004:338",
        stage=11,
        says="Backwards now. How does the loss move when a logit grows a little? For every word the answer is its "
        "probability; for the word that should follow, 1 is subtracted.",
        asks="What is the gradient of the logit of jumps?",
        answer="logits.grad[jumps]",
        hint="{probabilities[jumps]|4} − 1.",
        reveals="The minus says: more of this logit, less loss. All four gradients add up to 0.",
        mistakes=("target not subtracted", "sign"),
    ),
    Card(
        title="Less of fox",
        place="004:321",
        stage=5,
        says="fox reads itself with {weights[fox,fox]|2} and says {predicted}. Drag that weight down to 0.20: the "
        "other three share what is freed, in proportion.",
        asks="Which word does it say then?",
        answer=lambda run: run.predicted,
        choices="V",
        hint="Contributions to logit(jumps) − logit(fox): only brown and The push towards jumps.",
        reveals="{after: predicted}: the word it attended to most was the one that pushed it away from the target. A "
        "large weight is not a reason.",
        mistakes=("the guess before",),
        row="fox",
        changes=({"kind": "move", "cell": "layer0.weights[0,3,3]", "value": 0.2},),
    ),
    Card(
        title="One update",
        place="004:172",
        stage=12,
        says="Every learned number takes a step against its gradient, at rate 0.1: once.",
        asks="What does the model say after one update?",
        answer=lambda run: run.predicted,
        choices="V",
        hint="jumps has {probabilities[jumps]|4}, fox {probabilities[fox]|4}: there is little between them.",
        reveals="{after: predicted}, with {after: probabilities[jumps]|4}; the loss fell from {loss|4} to {after: "
        "loss|4}. Attention weights did not learn: they are computed again, from what did.",
        mistakes=("the guess before",),
        changes=({"kind": "update", "rate": 0.1},),
    ),
)
