"""Multi-head attention with the shapes written out, because I forget them every time.

Config used in the comments: B=8, T=50, d_model=384, 6 heads.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, d_model=384, n_head=6):
        super().__init__()
        assert d_model % n_head == 0
        self.h, self.dk = n_head, d_model // n_head      # 6 heads of 64
        self.qkv = nn.Linear(d_model, 3 * d_model)       # 442,368 weights + 1,152 biases = 443,520
        self.out = nn.Linear(d_model, d_model)           # 147,456 weights + 384 biases = 147,840

    def forward(self, x, pad=None):
        B, T, C = x.shape                                # (8, 50, 384)
        q, k, v = self.qkv(x).chunk(3, dim=-1)           # 3 times (8, 50, 384)
        q = q.view(B, T, self.h, self.dk).transpose(1, 2)  # (8, 6, 50, 64)
        k = k.view(B, T, self.h, self.dk).transpose(1, 2)  # (8, 6, 50, 64)
        v = v.view(B, T, self.h, self.dk).transpose(1, 2)  # (8, 6, 50, 64)

        s = torch.einsum("bhqd,bhkd->bhqk", q, k)        # (8, 6, 50, 50)
        s = s * self.dk ** -0.5                          # 1/sqrt(64) = 0.125
        causal = torch.ones(T, T, dtype=torch.bool).triu(1)
        # causal.sum() is 1225: 50 * 49 / 2 positions lie strictly above the diagonal
        s = s.masked_fill(causal, float("-inf"))
        if pad is not None:                              # pad: (8, 50), True = padding
            s = s.masked_fill(pad[:, None, None, :], float("-inf"))  # (8, 1, 1, 50) broadcasts
        a = F.softmax(s, dim=-1)                         # (8, 6, 50, 50), 120,000 numbers
        y = a @ v                                        # (8, 6, 50, 64)
        y = y.transpose(1, 2).reshape(B, T, C)           # (8, 50, 384)
        return self.out(y)


if __name__ == "__main__":
    m = SelfAttention()
    print(sum(p.numel() for p in m.parameters()))        # 591360
    x = torch.randn(8, 50, 384)
    print(m(x).shape)                                    # torch.Size([8, 50, 384])
    print(m(x[:, :1]).shape)                             # torch.Size([8, 1, 384])
    print(m(x).flatten(0, 1).shape)                      # torch.Size([400, 384])
    print(m(x).mean(dim=1, keepdim=True).shape)          # torch.Size([8, 1, 384])
