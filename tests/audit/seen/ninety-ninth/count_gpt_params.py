"""Count the parameters of our small GPT by hand and compare with the code.

config: 10 layers, width 640, 10 heads of 64, mlp 2560, vocab 32000, context 2048
"""

D, L, V, C, F = 640, 10, 32_000, 2048, 2560

# --- embeddings -------------------------------------------------------------
tok = V * D          # 32000 * 640           = 20,480,000
pos = C * D          # 2048 * 640            =  1,310,720

# --- one block --------------------------------------------------------------
ln = 2 * D                   # gain + bias           =     1,280
qkv = D * 3 * D + 3 * D      # 640*1920 + 1920       = 1,230,720
proj = D * D + D             # 640*640 + 640         =   401,240
up = D * F + F               # 640*2560 + 2560       = 1,640,960
down = F * D + D             # 2560*640 + 640        = 1,639,040

attn = qkv + proj            # 1,640,960
mlp = up + down              # 3,280,000
block = 2 * ln + attn + mlp  # 2,560 + 1,640,960 + 3,280,000 = 4,923,520

# --- everything -------------------------------------------------------------
blocks = L * block                     # 49,235,200
total = tok + pos + blocks + ln        # 71,027,200   (head is tied to tok)


def share(n):
    """Percent of the total.

    embeddings: (20,480,000 + 1,310,720) / 71,027,200 = 30.7 %
    blocks:     49,235,200 / 71,027,200 = 69.3 %
    """
    return 100 * n / total


if __name__ == "__main__":
    # prints: total 71.03 M, fp32 284.1 MB, bf16 142.1 MB
    print(f"total {total/1e6:.2f} M, fp32 {4*total/1e6:.1f} MB, bf16 {2*total/1e6:.1f} MB")
    # prints: 30.7 69.3
    print(f"{share(tok + pos):.1f} {share(blocks):.1f}")
    # rule of thumb 12*L*D^2 = 12*10*640*640 = 49,152,000, we have 83,200 more (biases, norms)
