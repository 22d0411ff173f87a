"""From text to a trained model: data, objective, optimiser, schedule, loop, checkpoints."""
