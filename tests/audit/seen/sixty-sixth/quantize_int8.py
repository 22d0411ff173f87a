# int8 quantisation of four weights (cf. RFC-118, v2.3, 2023-06-30; sections 4-6)
# Range of int8: -128..127, but we use -127..127 so that it is symmetric.
# Usually 1-2 % accuracy is lost, on model 7 it was nearer 0.4.
w = [0.635, -1.27, 0.31, 0.004]      # layer 12, row 3, columns 8-11

scale = max(abs(x) for x in w) / 127
print(round(scale, 6))               # 0.01

q = [round(x / scale) for x in w]
print(q[1:])                         # [-127, 31, 0]

# 0.635 / 0.01 is 63.5 on paper; floats decide whether we see 63 or 64, so no promise here
back = [round(v * scale, 2) for v in q[1:]]
print(back)                          # [-1.27, 0.31, 0.0]

bytes_fp32, bytes_int8 = 4 * len(w), 1 * len(w)
print(bytes_fp32, bytes_int8)        # 16 4
print(hex(127), 2 ** 7)              # 0x7f 128
