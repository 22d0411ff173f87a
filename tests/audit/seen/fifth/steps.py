start = 10
step = 0.5
end = start + 4 * step
print(end)  # 12.0
print(end - step)  # 11.0
