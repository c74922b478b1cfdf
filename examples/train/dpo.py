"""TRL's DPOTrainer on a folder that `orchestrate export --format preference` made.

    python dpo.py MODEL OUT DATA --steps 150 --seed 1
"""
import argparse
import math
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
from datasets import load_dataset
from transformers import AutoProcessor, Qwen3VLForConditionalGeneration
from trl import DPOConfig, DPOTrainer

ask = argparse.ArgumentParser()
ask.add_argument("model")
ask.add_argument("out")
ask.add_argument("data")
ask.add_argument("--steps", type=int, default=150)
ask.add_argument("--epochs", type=int, default=4, help="how often a pair is seen at most, whatever --steps says: few pairs are soon learnt by heart")
ask.add_argument("--batch", type=int, default=16)
ask.add_argument("--rate", type=float, default=1e-4)
ask.add_argument("--beta", type=float, default=0.1)
ask.add_argument("--seed", type=int, default=0)
told = ask.parse_args()
torch.set_num_threads(1)

# Figures about the pairs are for people; the trainer takes the request and its two answers.
rows = load_dataset(told.data, split="train").select_columns(["prompt", "chosen", "rejected", "images"])
steps = min(told.steps, math.ceil(told.epochs * len(rows) / told.batch))
processor = AutoProcessor.from_pretrained(told.model)
model = Qwen3VLForConditionalGeneration.from_pretrained(told.model, dtype=torch.float32)
settings = DPOConfig(
    output_dir=f"{told.out}-checkpoints",
    max_steps=steps,
    per_device_train_batch_size=told.batch,
    learning_rate=told.rate,
    beta=told.beta,
    # The pairs are mistakes alone. Without the second loss, a model learns what to avoid, and forgets the rest (docs/how-to/close-the-loop.md).
    loss_type=["sigmoid", "sft"],
    loss_weights=[1.0, 1.0],
    lr_scheduler_type="linear",
    logging_steps=10,
    save_strategy="no",
    report_to=[],
    use_cpu=True,
    bf16=False,
    gradient_checkpointing=False,
    max_length=None,
    seed=told.seed,
)
trainer = DPOTrainer(model=model, args=settings, train_dataset=rows, processing_class=processor)
began = time.time()
trainer.train()
print(f"{len(rows)} pairs, {steps} steps, {time.time() - began:.0f} s")
trainer.save_model(told.out)
processor.save_pretrained(told.out)
