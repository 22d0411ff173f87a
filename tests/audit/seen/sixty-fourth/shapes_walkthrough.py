"""Shapes of a patch encoder, step by step. Part of the docs, run by CI."""
import numpy as np

rng = np.random.default_rng(0)

images = rng.normal(size=(16, 32, 32, 3))
print(images.shape)            # (16, 32, 32, 3)

# cut into 4x4 patches: 8 * 8 = 64 per image, 4 * 4 * 3 = 48 numbers in each
patches = images.reshape(16, 8, 4, 8, 4, 3).transpose(0, 1, 3, 2, 4, 5)
patches = patches.reshape(16, 64, 48)
print(patches.shape)           # (16, 64, 48)

w_embed = rng.normal(size=(48, 96))
tokens = patches @ w_embed
print(tokens.shape)            # (16, 64, 96)

cls = np.zeros((16, 1, 96))
tokens = np.concatenate([cls, tokens], axis=1)
print(tokens.shape)            # (16, 65, 96)

scores = tokens @ tokens.transpose(0, 2, 1)
print(scores.shape)            # (16, 65, 65)

pooled = tokens.mean(axis=1)
print(pooled.shape)            # (16, 65)
