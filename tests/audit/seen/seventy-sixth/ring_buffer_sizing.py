"""DN-0417: sizing the capture ring buffer (rev C).

Four microphones, 48 kHz, 24-bit samples stored in 32-bit words. The buffer has to
survive a flash erase stall of 180 ms with 50 % margin.
"""

CHANNELS = 4
RATE_HZ = 48_000
WORD_BYTES = 4
STALL_MS = 180
MARGIN = 1.5

frame_bytes = CHANNELS * WORD_BYTES             # 16 bytes per frame
byte_rate = frame_bytes * RATE_HZ               # 768,000 bytes/s
stall_frames = RATE_HZ * STALL_MS // 1000       # 8,460 frames arrive during one stall
need_frames = int(stall_frames * MARGIN)        # 12,960 frames with margin

# Index masking wants a power of two.
frames = 1
while frames < need_frames:
    frames *= 2
# frames = 16,384
buf_bytes = frames * frame_bytes                # 262,144 bytes
buf_kib = buf_bytes // 1024                     # 256 KiB
covered_ms = frames * 1000 / RATE_HZ            # 341.3 ms of audio

# SRAM check: 512 KiB part, 96 KiB stack and heap, 88 KiB DMA descriptors and logs
free_kib = 512 - 96 - 88 - buf_kib              # 72 KiB to spare

# SD card side: the writer drains 32 KiB blocks
blocks_per_s = byte_rate / (32 * 1024)          # 768,000 / 32,768 = 23.44
hour_bytes = byte_rate * 3600                   # 2,764,800,000 bytes per hour
hours_on_64gb = 64e9 / hour_bytes               # 23.1 h

assert need_frames <= frames and free_kib > 0
