# Count the weights of a BERT-like encoder. Run it, or just read the comments.

d = 512          # width
ff = 2048        # hidden width of the feed-forward part
layers = 8
vocab = 28_996

embedding = vocab * d
print(embedding)                 # 14845952

attention = 4 * (d * d + d)
print(attention)                 # 1048576

feed_forward = (d * ff + ff) + (ff * d + d)
print(feed_forward)              # 2099712

norms = 2 * 2 * d
print(norms)                     # 2048

block = attention + feed_forward + norms
print(block)                     # 3152384

total = embedding + layers * block
print(f"{total:,}")              # 40,065,024
print(f"{embedding / total:.1%}")  # 37.1%
