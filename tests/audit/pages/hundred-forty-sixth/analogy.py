# king - man + woman, in three made-up dimensions (royal-ish, female, person-ish)
import numpy as np

vec = {
    "king":  np.array([ 4, 1, 3]),
    "man":   np.array([ 3, 0, 1]),
    "woman": np.array([ 1, 3, 1]),
    "queen": np.array([ 2, 4, 4]),
    "apple": np.array([-1, 1, 5]),
}

target = vec["king"] - vec["man"] + vec["woman"]
print(target)                                   # [2 4 3]

# lengths: target  sqrt(4 + 16 + 9)  = 5.385
#          king    sqrt(16 + 1 + 9)  = 5.099
#          queen   sqrt(4 + 16 + 16) = 6
#          woman   sqrt(1 + 9 + 1)   = 3.317


def cos(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


for word, v in vec.items():
    print(f"{word:6s} {target @ v:3d}  {cos(target, v):.3f}")

# king    21  0.795
# man      9  0.528
# woman   17  0.952
# queen   32  0.990
# apple   17  0.608

# Two things to discuss:
# 1. woman and apple have the same dot product, 17, but apple is the longer
#    vector (sqrt(27) = 5.196), so its cosine is lower.
# 2. Directly, without the arithmetic, king and queen reach only
#    24 / (5.099 * 6) = 0.784.  The detour through man and woman helps.
#    Most toolkits also skip the three query words; here queen wins anyway.
