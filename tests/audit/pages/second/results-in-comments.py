"""Worked numbers of chapter 2."""
import numpy as np

probabilities = np.array([0.7, 0.2, 0.1])
probabilities.max()  # 0.7
-np.log(0.7)  # 0.357
np.exp(1.0)  # 2.718
np.sqrt(50.0)  # 7.17
