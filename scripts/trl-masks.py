"""
Shows what TRL's trainers learn of a data set that `orchestrate export` wrote as `trl`, `parquet`, `qa` or `preference`.

In: the export's folder. It is opened as users open it, `load_dataset("DIR")`, and a batch goes through the collator that the trainer itself makes, with a tiny
processor of the Qwen3-VL family (`tiny_vlm.py`; nothing is fetched). Out: how many tokens of each row are learnt, and their text. Ends with 1 where that is
anything but the completion and the mark that ends it, or where a picture is not in the batch.
Needs Python 3.11 and: pip install trl==1.16.0 transformers==5.24.0 torch==2.15.0 torchvision==0.29.2 datasets==5.2.0 pillow==13.0.0
"""

import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"

ROWS = 8
IGNORED = -100
ROOT = Path(__file__).resolve().parent.parent


def tiny_processor():
    """Its pieces are learnt from our own documents."""
    import tiny_vlm
    from transformers import Qwen2VLImageProcessor, Qwen3VLProcessor, Qwen3VLVideoProcessor

    size = {"shortest_edge": 64 * 64, "longest_edge": 256 * 256}
    return Qwen3VLProcessor(
        image_processor=Qwen2VLImageProcessor(patch_size=16, merge_size=2, size=size),
        tokenizer=tiny_vlm.learned_tokenizer(sorted(ROOT.glob("docs/**/*.md"))),
        video_processor=Qwen3VLVideoProcessor(patch_size=16, merge_size=2),
        chat_template=tiny_vlm.TEMPLATE,
    )


def said(messages):
    """What must be learnt: the words, and the mark that ends the turn."""
    text = "".join(part["text"] or "" for message in messages for part in message["content"])
    return f"{text}<|im_end|>"


def learnt_by_sft(processor, rows):
    """With the setting that SFTTrainer makes of the columns where nobody says otherwise."""
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    only = "prompt" in rows[0] and "completion" in rows[0]
    collator = DataCollatorForVisionLanguageModeling(processor, completion_only_loss=only)
    batch = collator([dict(row) for row in rows])
    wanted = [said(row["completion"]) for row in rows]
    return batch, [ids[ids != IGNORED] for ids in batch["labels"]], wanted


def learnt_by_dpo(processor, rows):
    from trl.trainer.dpo_trainer import DataCollatorForVisionPreference

    batch = DataCollatorForVisionPreference(processor)([dict(row) for row in rows])
    wanted = [said(row[side]) for side in ("chosen", "rejected") for row in rows]
    learnt = [ids[mask == 1] for ids, mask in zip(batch["input_ids"], batch["completion_mask"])]
    return batch, learnt, wanted


def main(folder):
    from datasets import load_dataset

    with tempfile.TemporaryDirectory() as cache:
        data = load_dataset(str(Path(folder).resolve()), split="train", cache_dir=cache)
        rows = [dict(row) for row in data.select(range(min(ROWS, len(data))))]
    pictures = sum(len(row["images"]) for row in rows)
    processor = tiny_processor()
    is_pairs = "chosen" in rows[0]
    batch, learnt, wanted = (learnt_by_dpo if is_pairs else learnt_by_sft)(processor, rows)
    seen = len(batch["image_grid_thw"]) if "image_grid_thw" in batch else 0
    sides = 2 if is_pairs else 1
    print(f"{len(rows)} rows, {pictures} pictures; in the batch {seen} pictures, {batch['input_ids'].shape[1]} tokens a row")
    good = seen == pictures * sides
    for row, (ids, right) in enumerate(zip(learnt, wanted)):
        text = processor.tokenizer.decode(ids).removesuffix("\n")
        total = int(batch["attention_mask"][row].sum())
        is_right = text == right
        good = good and is_right
        print(f"{'ok  ' if is_right else 'BAD '} learns {len(ids)} of {total} tokens: {text!r}")
    print("only completions are learnt" if good else "something else is learnt")
    return 0 if good else 1


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(main(sys.argv[1]))
