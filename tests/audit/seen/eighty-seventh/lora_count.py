# LoRA: how many parameters do we train?   (PEFT notes, rev. 3, Feb 2024)
d = 4096        # model width
r = 8           # rank of the adapter
layers = 32
bytes_adam = 8  # two fp32 moments per trained parameter

full = d * d
print(full)  # 16777216

adapter = r * d + d * r      # A is (8, 4096), B is (4096, 8)
print(adapter)  # 65536
print(f"{100 * adapter / full:.2f} %")  # 0.39 %

# We adapt the query and the value projection in every layer: 2 * 32 = 64 matrices.
trained = 2 * layers * adapter
print(f"{trained:,}")  # 4,194,304

optimizer = trained * bytes_adam
print(optimizer)  # 33554432
print(optimizer / 2**20, "MiB")  # 32.0 MiB

# Rank 16 doubles all of this: 131072 per matrix and 64 MiB of optimiser state.
print([2 * rank * d for rank in (4, 16, 64)])  # [32768, 131072, 524288]
