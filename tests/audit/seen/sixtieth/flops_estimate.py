#!/usr/bin/env python3.11
# flops_estimate.py, rev 7, 2024-01-19.  Rule of thumb C = 6 N D (see eq. 2.1, pp. 6-8).
# Not exact: embeddings (about 3-5 %) and attention (1-2 %) are left out.

N = 1_300_000_000        # "1.3B", really 1,315,723,264 with embeddings
D = 26_000_000_000       # 20 tokens per parameter
C = 6 * N * D            # 2.028e+20, 2.0e20 on the slide
PEAK = 312e12            # A100, bf16; 156e12 for TF32, 19.5e12 for fp32
MFU = 0.4                # 0.38-0.43 measured on runs 11-15

seconds = C / (PEAK * MFU)
print(f"{seconds:.4e} s")                  # 1.6250e+06 s
print(f"{seconds / 3600:.0f} GPU hours")   # 451 GPU hours
print(f"{seconds / 3600 / 64:.1f} h")      # 7.1 h
# with 8 nodes x 8 GPUs; the first try (v0.3, 4 nodes) took 14 h 20, 2 restarts

FLAGS = 0x1F             # bits 0-4
print(FLAGS)             # 31
PORTS = range(8000, 8004)
print(len(PORTS))        # 4
# GPU 0: 71 C, 389 W   GPU 1: 69 C, 392 W   limit 400 W
