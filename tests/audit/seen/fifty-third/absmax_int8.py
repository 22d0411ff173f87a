# absmax int8 quantisation, the smallest example I could think of
#
# weights      0.62    -2.54    1.416   -0.048
# largest absolute value 2.54, so scale = 2.54 / 127 = 0.02
# w / scale    31.0    -127.0   70.8    -2.4
# rounded      31      -127     71      -2
# back again   0.62    -2.54    1.42    -0.04
# error        0       0        0.004   0.008
#
# The worst error, 0.008, is below half a step (0.01), as it must be.


def quantize(ws):
    scale = max(abs(w) for w in ws) / 127
    return scale, [round(w / scale) for w in ws]


def size_mib(rows, cols, group=128):
    """Bytes for int8 weights plus one fp16 scale per group of 128.

    For 4096 x 4096: 16,777,216 weights take 16 MiB. There are 131,072 groups,
    their scales take 262,144 bytes = 0.25 MiB. Together 16.5 MiB,
    against 64 MiB in fp32.
    """
    n = rows * cols
    return (n + n // group * 2) / 2 ** 20


print(quantize([0.62, -2.54, 1.416, -0.048]))
