"""What does one support chat cost? (snippet from the talk)"""

PRICE_IN = 2.50 / 1_000_000     # dollars per input token
PRICE_OUT = 10.00 / 1_000_000   # dollars per output token

turns = 6
prompt = 850
reply = 240

# every turn sends the history again
tokens_in = sum(prompt + i * (60 + reply) for i in range(turns))
tokens_out = turns * reply
cost = tokens_in * PRICE_IN + tokens_out * PRICE_OUT

print(tokens_in)                 # -> 9600
print(tokens_out)                # -> 1440
print(round(cost, 4))            # -> 0.0384
print(round(cost * 2000, 2))     # -> 76.8   (2000 chats a month)
