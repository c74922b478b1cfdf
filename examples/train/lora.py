"""LoRA with TRL's SFTTrainer and peft on folders that `orchestrate export --format trl` made: for models such as Qwen3-VL-2B, on a GPU.

    python lora.py Qwen/Qwen3-VL-2B-Instruct OUT DATA [DATA …] --steps 500

OUT becomes the adapter, for `vllm serve --enable-lora`; --merge FOLDER also writes the whole model. Only the layers that read and write language are
adapted, the part that sees stays as it is. Without a GPU it runs in 32 bits on the processor, which is of use only to try the command with a tiny model. A
run that was interrupted goes on from its last checkpoint, in the same command.
"""
import argparse
import os
import time

import torch
from datasets import concatenate_datasets, load_dataset
from peft import LoraConfig
from transformers import AutoModelForImageTextToText, AutoProcessor
from transformers.trainer_utils import get_last_checkpoint
from trl import SFTConfig, SFTTrainer

ask = argparse.ArgumentParser()
ask.add_argument("model")
ask.add_argument("out")
ask.add_argument("data", nargs="+")
ask.add_argument("--steps", type=int, default=500)
ask.add_argument("--batch", type=int, default=2, help="rows on the GPU at once")
ask.add_argument("--gather", type=int, default=8, help="batches of which one step learns")
ask.add_argument("--rate", type=float, default=1e-4)
ask.add_argument("--rank", type=int, default=16)
ask.add_argument("--seed", type=int, default=0)
ask.add_argument("--merge", metavar="FOLDER", help="also write the model with the adapter merged into it")
told = ask.parse_args()

has_gpu = torch.cuda.is_available()
rows = concatenate_datasets([load_dataset(folder, split="train") for folder in told.data]).shuffle(seed=told.seed)
processor = AutoProcessor.from_pretrained(told.model)
model = AutoModelForImageTextToText.from_pretrained(
    told.model, dtype=torch.bfloat16 if has_gpu else torch.float32
)
settings = SFTConfig(
    output_dir=f"{told.out}-checkpoints",
    max_steps=told.steps,
    per_device_train_batch_size=told.batch,
    gradient_accumulation_steps=told.gather,
    learning_rate=told.rate,
    lr_scheduler_type="cosine",
    warmup_steps=min(20, told.steps // 10),
    logging_steps=10,
    save_strategy="steps",
    save_steps=100,
    save_total_limit=1,
    report_to=[],
    use_cpu=not has_gpu,
    bf16=has_gpu,
    gradient_checkpointing=has_gpu,
    max_length=None,
    seed=told.seed,
)
adapter = LoraConfig(
    r=told.rank,
    lora_alpha=2 * told.rank,
    lora_dropout=0.05,
    target_modules=r".*\.language_model\..*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)",
    task_type="CAUSAL_LM",
)
trainer = SFTTrainer(
    model=model, args=settings, train_dataset=rows, processing_class=processor, peft_config=adapter
)
last = get_last_checkpoint(settings.output_dir) if os.path.isdir(settings.output_dir) else None
began = time.time()
trainer.train(resume_from_checkpoint=last)
learnt, whole = trainer.model.get_nb_trainable_parameters()
print(f"{len(rows)} rows, {told.steps} steps, {learnt:,} of {whole:,} weights learnt, {time.time() - began:.0f} s")
trainer.save_model(told.out)
processor.save_pretrained(told.out)
if told.merge:
    trainer.model.merge_and_unload().save_pretrained(told.merge)
    processor.save_pretrained(told.merge)
