"""
Makes a tiny vision-language model of the Qwen3-VL family with random weights, for a server that is real though its model knows nothing.

In: a folder to write, and text files that the tokenizer learns its pieces from. Out: weights, tokenizer, chat template and processor, as `vllm serve` takes them.
Head size 64 is the least that vLLM's attention on a CPU has kernels for beside 32; nothing is fetched.
"""

import sys
from pathlib import Path

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

END, START_OF_TURN, END_OF_TURN = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
START_OF_PICTURE, END_OF_PICTURE = "<|vision_start|>", "<|vision_end|>"
PICTURE, VIDEO = "<|image_pad|>", "<|video_pad|>"
SPECIAL = [END, START_OF_TURN, END_OF_TURN, START_OF_PICTURE, END_OF_PICTURE, PICTURE, VIDEO]
PIECES = 4096

# Tools before the system text, calls as JSON in tags: what the parser `hermes` reads. Roles in any order, but where a request asks for the manners of
# other models (`chat_template_kwargs`): those of Gemma's template, which knows no system message, and those of one that wants roles in turn.
TEMPLATE = """\
{%- if no_system and messages[0].role == 'system' -%}{{ raise_exception('System role not supported') }}{%- endif -%}
{%- for message in messages -%}
{%- if in_turn and message.role != ('user', 'assistant')[loop.index0 % 2] -%}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif -%}
{%- endfor -%}
{%- macro words(content) -%}
{%- if content is string -%}{{ content }}
{%- elif content -%}
{%- for part in content -%}
{%- if part.type in ['image', 'image_url'] -%}<|vision_start|><|image_pad|><|vision_end|>
{%- elif part.type == 'text' -%}{{ part.text }}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
{%- if tools -%}
{{- '<|im_start|>tools\\n' -}}
{%- for tool in tools -%}{{ tool | tojson + '\\n' }}{%- endfor -%}
{{- '<|im_end|>\\n' -}}
{%- endif -%}
{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{{ words(message.content) }}
{%- for call in message.tool_calls or [] -%}
{{- '<tool_call>\\n' -}}{{ call.function | tojson }}{{- '\\n</tool_call>' -}}
{%- endfor -%}
{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
"""


def learned_tokenizer(texts: list[Path]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        (path.read_text(encoding="utf-8") for path in texts),
        trainers.BpeTrainer(
            vocab_size=PIECES,
            special_tokens=SPECIAL,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END_OF_TURN, pad_token=END, extra_special_tokens=SPECIAL[1:]
    )


def tiny_config(tokenizer: PreTrainedTokenizerFast) -> Qwen3VLConfig:
    number = tokenizer.convert_tokens_to_ids
    hidden = 256
    return Qwen3VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": hidden,
            "intermediate_size": 512,
            "num_hidden_layers": 4,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 64,
            "max_position_embeddings": 32768,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 5e6,
                "mrope_section": [12, 10, 10],
                "mrope_interleaved": True,
            },
            "eos_token_id": number(END_OF_TURN),
        },
        vision_config={
            "depth": 4,
            "hidden_size": 128,
            "num_heads": 4,
            "intermediate_size": 256,
            "out_hidden_size": hidden,
            "patch_size": 16,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "deepstack_visual_indexes": [1, 2, 3],
        },
        image_token_id=number(PICTURE),
        video_token_id=number(VIDEO),
        vision_start_token_id=number(START_OF_PICTURE),
        vision_end_token_id=number(END_OF_PICTURE),
        tie_word_embeddings=True,
    )


def main(folder: str, texts: list[str]) -> None:
    tokenizer = learned_tokenizer([Path(text) for text in texts])
    torch.manual_seed(0)
    model = Qwen3VLForConditionalGeneration(tiny_config(tokenizer)).float()
    model.generation_config.eos_token_id = tokenizer.convert_tokens_to_ids(END_OF_TURN)
    model.save_pretrained(folder)
    size = {"shortest_edge": 256 * 256, "longest_edge": 1024 * 1024}
    Qwen3VLProcessor(
        image_processor=Qwen2VLImageProcessor(patch_size=16, merge_size=2, size=size),
        tokenizer=tokenizer,
        video_processor=Qwen3VLVideoProcessor(patch_size=16, merge_size=2),
        chat_template=TEMPLATE,
    ).save_pretrained(folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
