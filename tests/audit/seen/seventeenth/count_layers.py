# How many weights are in there?  A cheat sheet you can execute.
#
# Every print is followed by what it printed on my machine.

def linear(i, o, bias=True):
    return i * o + (o if bias else 0)

def conv(k, i, o):
    return k * k * i * o + o

def lstm(i, h):
    return 4 * (i * h + h * h + h)

def mha(d):
    return 4 * linear(d, d)

# --- dense -----------------------------------------------------------
print(linear(784, 100))              # 78500
print(linear(100, 10))               # 1010
print(linear(784, 100) + linear(100, 10))   # 79510
print(linear(300, 300, bias=False))  # 90000

# --- convolution -----------------------------------------------------
print(conv(3, 3, 16))                # 448
print(conv(3, 16, 32))               # 4640
print(conv(1, 32, 8))                # 264

# --- recurrent -------------------------------------------------------
# four gates, each sees input and state and has one bias vector
print(lstm(50, 128))                 # 91468

# --- attention -------------------------------------------------------
print(mha(256))                      # 263168
# of which biases: 4 * 256 = 1024

# --- a whole block ---------------------------------------------------
block = mha(256) + linear(256, 1024) + linear(1024, 256) + 2 * 2 * 256
print(block)                         # 789760
print(12 * block)                    # 9477120
# so twelve blocks are about 9.5 million; the paper rounds to 10.
