"""A small Qwen3-VL with random weights, whose vision token is one tile of 16 pixels. In: a folder for the model, and folders of exports in the format trl, whose
words become the tokenizer's.

    python make_model.py OUT DATA [DATA …]
"""
import glob
import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import pyarrow.parquet as pq
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    PreTrainedTokenizerFast,
    Qwen2VLImageProcessor,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)

TILE = 16
HIDDEN = 128
SPECIAL = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
]
# As Qwen's own, with marks around what an assistant says, so that trainers can tell it from the rest.
TEMPLATE = """\
{%- macro words(content) -%}
{%- if content is string -%}{{ content }}
{%- else -%}
{%- for part in content -%}
{%- if part.type in ['image', 'image_url'] -%}<|vision_start|><|image_pad|><|vision_end|>
{%- elif part.type == 'text' -%}{{ part.text }}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{%- if message.role == 'assistant' -%}
{%- generation -%}{{ words(message.content) }}{{- '<|im_end|>' -}}{%- endgeneration -%}
{%- else -%}{{ words(message.content) }}{{- '<|im_end|>' -}}{%- endif -%}
{{- '\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
"""


def texts(folders):
    found = set()
    for file in sorted(file for folder in folders for file in glob.glob(f"{folder}/data/train-*.parquet")):
        for row in pq.read_table(file, columns=["prompt", "completion"]).to_pylist():
            for message in row["prompt"] + row["completion"]:
                found.update(part["text"] for part in message["content"] if part.get("text"))
    return sorted(found)


def tokenizer_of(words):
    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    pieces.train_from_iterator(
        words,
        trainers.BpeTrainer(
            vocab_size=2048, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
        ),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=pieces,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        extra_special_tokens=SPECIAL[1:],
    )


def model_of(tokenizer):
    number = tokenizer.convert_tokens_to_ids
    config = Qwen3VLConfig(
        text_config=dict(
            vocab_size=len(tokenizer),
            hidden_size=HIDDEN,
            intermediate_size=3 * HIDDEN,
            num_hidden_layers=2,
            # With two heads that share their keys, three of four trainings stayed at the loss of a blind model; with tied embeddings, the loss falls 100 steps later.
            num_attention_heads=4,
            num_key_value_heads=4,
            head_dim=64,
            initializer_range=0.06,
            # As long as the context with which scripts/lib/vllm-server.mjs starts a server.
            max_position_embeddings=16384,
            rope_parameters={
                "rope_type": "default",
                "rope_theta": 1e4,
                "mrope_section": [12, 10, 10],
                "mrope_interleaved": True,
            },
            eos_token_id=number("<|im_end|>"),
        ),
        vision_config=dict(
            depth=2,
            initializer_range=0.06,
            hidden_size=HIDDEN,
            num_heads=4,
            intermediate_size=2 * HIDDEN,
            out_hidden_size=HIDDEN,
            patch_size=TILE,
            spatial_merge_size=1,
            temporal_patch_size=2,
            num_position_embeddings=256,
            deepstack_visual_indexes=[0],
        ),
        image_token_id=number("<|image_pad|>"),
        video_token_id=number("<|video_pad|>"),
        vision_start_token_id=number("<|vision_start|>"),
        vision_end_token_id=number("<|vision_end|>"),
        tie_word_embeddings=False,
    )
    torch.manual_seed(0)
    model = Qwen3VLForConditionalGeneration(config).float()
    # Where a tile is must be as loud as what is on it: with the usual small noise it takes some hundred steps more to be heard.
    with torch.no_grad():
        model.model.visual.pos_embed.weight.normal_(0, 0.5)
        model.model.visual.patch_embed.proj.weight.normal_(0, 0.02)
    model.generation_config.eos_token_id = number("<|im_end|>")
    return model


def main(out, *data):
    # Large enough for every word of these texts to be one token: a short prompt is a fast one.
    tokenizer = tokenizer_of(texts(data))
    model = model_of(tokenizer)
    model.save_pretrained(out)
    Qwen3VLProcessor(
        image_processor=Qwen2VLImageProcessor(
            patch_size=TILE,
            merge_size=1,
            temporal_patch_size=2,
            size={"shortest_edge": 64 * 64, "longest_edge": 512 * 512},
        ),
        tokenizer=tokenizer,
        video_processor=Qwen3VLVideoProcessor(patch_size=TILE, merge_size=1),
        chat_template=TEMPLATE,
    ).save_pretrained(out)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(tokenizer)} tokens in the vocabulary")


if __name__ == "__main__":
    main(*sys.argv[1:])
