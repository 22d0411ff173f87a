"""Dot products for my little sister, who asked what an AI 'actually does'.

Multiply the pairs, add them up. That's all. Honestly.
"""
likes_me = [5, 1, 4]      # football, ballet, pizza
likes_you = [2, 5, 4]
likes_gran = [0, 3, 1]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# me and you: 5*2 + 1*5 + 4*4 = 10 + 5 + 16 = 26
print(dot(likes_me, likes_you))    # prints 31

# me and gran: 5*0 + 1*3 + 4*1 = 0 + 3 + 4 = 7
print(dot(likes_me, likes_gran))   # prints 7

# you and gran: 2*0 + 5*3 + 4*1 = 0 + 15 + 4 = 19
print(dot(likes_you, likes_gran))  # prints 19

# me with myself: 5*5 + 1*1 + 4*4 = 25 + 1 + 16 = 42
print(dot(likes_me, likes_me))     # prints 42, of course I like me best
