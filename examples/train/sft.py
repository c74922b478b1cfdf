"""TRL's SFTTrainer on folders that `orchestrate export --format trl` made. The rows go to the trainer as they are; --blank makes every picture grey.

    python sft.py MODEL OUT DATA [DATA …] --steps 1200 --seed 1

A run that was interrupted goes on from its last checkpoint, in the same command.
"""
import argparse
import json
import os
import time
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
from datasets import concatenate_datasets, load_dataset
from PIL import Image
from transformers import AutoProcessor, Qwen3VLForConditionalGeneration
from transformers.trainer_utils import get_last_checkpoint
from trl import SFTConfig, SFTTrainer

ask = argparse.ArgumentParser()
ask.add_argument("model")
ask.add_argument("out")
ask.add_argument("data", nargs="+")
ask.add_argument("--steps", type=int, default=1200)
ask.add_argument("--batch", type=int, default=16)
ask.add_argument("--rate", type=float, default=2e-3)
ask.add_argument("--decay", type=float, default=0.2, help="the last part of the steps, over which the rate falls to 0")
ask.add_argument("--seed", type=int, default=0)
ask.add_argument("--blank", action="store_true")
ask.add_argument("--threads", type=int, default=1)
told = ask.parse_args()
torch.set_num_threads(told.threads)


def grey(rows):
    return {**rows, "images": [[Image.new("RGB", one[0].size, (128, 128, 128))] for one in rows["images"]]}


rows = concatenate_datasets([load_dataset(folder, split="train") for folder in told.data]).shuffle(seed=told.seed)
if told.blank:
    rows = rows.with_transform(grey)
processor = AutoProcessor.from_pretrained(told.model)
model = Qwen3VLForConditionalGeneration.from_pretrained(told.model, dtype=torch.float32)
settings = SFTConfig(
    output_dir=f"{told.out}-checkpoints",
    max_steps=told.steps,
    per_device_train_batch_size=told.batch,
    learning_rate=told.rate,
    lr_scheduler_type="warmup_stable_decay",
    lr_scheduler_kwargs={"num_decay_steps": max(1, int(told.steps * told.decay))},
    warmup_steps=min(50, told.steps // 10),
    weight_decay=0.01,
    adam_beta2=0.98,
    logging_steps=25,
    save_strategy="steps",
    save_steps=100,
    save_total_limit=1,
    report_to=[],
    use_cpu=True,
    bf16=False,
    gradient_checkpointing=False,
    max_length=None,
    seed=told.seed,
    dataloader_num_workers=0,
)
trainer = SFTTrainer(model=model, args=settings, train_dataset=rows, processing_class=processor)
last = get_last_checkpoint(settings.output_dir) if os.path.isdir(settings.output_dir) else None
began = time.time()
trainer.train(resume_from_checkpoint=last)
print(f"{len(rows)} rows, {told.steps} steps, {time.time() - began:.0f} s")
trainer.save_model(told.out)
processor.save_pretrained(told.out)
Path(told.out, "history.json").write_text(json.dumps(trainer.state.log_history))
