"""How many weights does LoRA train?

A frozen 4096 x 4096 matrix has 16,777,216 weights. LoRA of rank 8 adds
A (8 x 4096 = 32,768) and B (4096 x 8 = 32,768), so 65,536 in all, which is
0.39 % of the frozen matrix, or one weight for every 256.
"""

D = 4096
RANK = 8
LAYERS = 32
MATRICES_PER_LAYER = 2      # only the query and the value projection
MODEL = 6_738_415_616

per_matrix = 2 * RANK * D                                # 65,536
adapted = LAYERS * MATRICES_PER_LAYER                    # 64 matrices
trainable = adapted * per_matrix                         # 4,194,304
share = 100 * trainable / MODEL                          # 0.062 percent

# Saved as fp16 the adapter is 8,388,608 bytes, exactly 8 MiB.
# Going to rank 16 doubles it: 8,388,608 weights, 16 MiB.
# Adam keeps two fp32 numbers per trained weight: 33,554,432 bytes (32 MiB) at rank 8.

if __name__ == "__main__":
    print(per_matrix, adapted, trainable, round(share, 3))
