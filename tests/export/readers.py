"""Opens an export with the readers that its users have, and prints as JSON what they found. In: a format's name and the export's folder.

The pictures are decoded here, by Pillow; each is told by the hash of its RGB pixels, so that another program can compare them.
"""

import glob
import hashlib
import io
import json
import os
import re
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"


def pixels(image):
    return hashlib.sha256(image.convert("RGB").tobytes()).hexdigest()


def opened(folder, name):
    from PIL import Image

    return pixels(Image.open(os.path.join(folder, name)))


def load(kind, folder, **more):
    import tempfile

    from datasets import load_dataset

    with tempfile.TemporaryDirectory() as cache:
        data = load_dataset(kind, split="train", cache_dir=cache, **more)
        return [dict(row) for row in data]


def placeholders(messages, kind):
    return sum(part["type"] == kind for message in messages for part in message["content"])


def last_text(messages):
    return "".join(part["text"] or "" for part in messages[-1]["content"])


def read_openai(folder):
    for row in load("json", folder, data_files=os.path.join(folder, "train.jsonl")):
        urls = [
            part["image_url"]["url"]
            for message in row["messages"]
            for part in message["content"]
            if part["type"] == "image_url"
        ]
        yield len(urls), [opened(folder, url) for url in urls], last_text(row["messages"])


def whole(row):
    return row["prompt"] + row["completion"]


def read_parquet(folder):
    """By the folder's name alone, as users do: `datasets` must open pictures as pictures, wherever it is asked from."""
    import pyarrow.parquet as pq

    files = sorted(glob.glob(os.path.join(folder, "data", "train-*.parquet")))
    plain = [row for file in files for row in pq.read_table(file).to_pylist()]
    rows = load(folder, None)
    assert [row["id"] for row in plain] == [row["id"] for row in rows]
    for row in rows:
        images = [pixels(image) for image in row["images"]]
        yield placeholders(whole(row), "image"), images, last_text(row["completion"])


def read_webdataset(folder):
    import webdataset as wds
    from PIL import Image

    files = sorted(glob.glob(os.path.join(folder, "train-*.tar")))
    for sample in wds.WebDataset(files, shardshuffle=False):
        row = json.loads(sample["json"])
        images = [pixels(Image.open(io.BytesIO(sample[name]))) for name in row["images"]]
        yield placeholders(whole(row), "image"), images, last_text(row["completion"])


def read_imagefolder(folder):
    for row in load("imagefolder", folder, data_dir=os.path.join(folder, "train")):
        yield 1, [pixels(row["image"])], row["answer"]


def read_llava(folder):
    with open(os.path.join(folder, "train.json")) as file:
        rows = json.load(file)
    for row in rows:
        turns = row["conversations"]
        assert [turn["from"] for turn in turns] == ["human", "gpt"] * (len(turns) // 2)
        names = row.get("image", [])
        names = [names] if isinstance(names, str) else names
        marks = sum(turn["value"].count("<image>") for turn in turns)
        yield marks, [opened(folder, name) for name in names], turns[-1]["value"]


def read_llama_factory(folder):
    with open(os.path.join(folder, "dataset_info.json")) as file:
        info = json.load(file)["orchestrate_train"]
    for row in load("json", folder, data_files=os.path.join(folder, info["file_name"])):
        messages = row[info["columns"]["messages"]]
        tags = info["tags"]
        roles = [message[tags["role_tag"]] for message in messages]
        assert all(role == tags["user_tag"] for role in roles[0::2])
        assert all(role in (tags["assistant_tag"], tags["function_tag"]) for role in roles[1::2])
        texts = [message[tags["content_tag"]] for message in messages]
        marks = sum(text.count("<image>") for text in texts)
        yield marks, [opened(folder, name) for name in row["images"]], texts[-1]


def read_preference(folder):
    for row in load(folder, None):
        marks = placeholders(row["prompt"], "image")
        answers = last_text(row["chosen"]) + "\n---\n" + last_text(row["rejected"])
        yield marks, [pixels(image) for image in row["images"]], answers


def read_coco(folder):
    import contextlib

    from PIL import Image
    from pycocotools.coco import COCO

    with contextlib.redirect_stdout(sys.stderr):
        data = COCO(os.path.join(folder, "train", "annotations.json"))
    for image in data.loadImgs(sorted(data.getImgIds())):
        name = image["file_name"]
        size = Image.open(os.path.join(folder, name)).size
        assert size == (image["width"], image["height"])
        things = []
        for one in data.loadAnns(data.getAnnIds(imgIds=[image["id"]])):
            x, y, width, height = one["bbox"]
            assert 0 <= x and 0 <= y and x + width <= size[0] and y + height <= size[1]
            assert data.annToMask(one).sum() == one["area"]
            category = data.loadCats([one["category_id"]])[0]["name"]
            things.append([category, one["attributes"]["id"], one["bbox"], one["area"]])
        yield len(things), [opened(folder, name)], json.dumps({"image": name, "things": things})


def read_hub(folder):
    """All tables that the header of README.md names, a row of each row, by the table's name and split."""
    import tempfile

    from datasets import get_dataset_config_names, load_dataset

    for name in get_dataset_config_names(folder):
        with tempfile.TemporaryDirectory() as cache:
            for split, rows in load_dataset(folder, name, cache_dir=cache).items():
                # Made up by the reader, of the folder's name.
                assert "label" not in rows.column_names, f"{name}: a split is told as a label"
                yield from ((0, [], f"{name} {split}") for _ in rows)


def read_atif(folder):
    """Each document by the models of NVIDIA's NeMo Agent Toolkit, which refuse unknown keys, and its pictures beside it."""
    from nat.atif import Trajectory

    for path in sorted(glob.glob(os.path.join(folder, "train-*.json"))):
        with open(path) as file:
            trajectory = Trajectory.model_validate_json(file.read())
        told, images = [], []
        for step in trajectory.steps:
            parts = step.message if isinstance(step.message, list) else []
            images += [part.source.path for part in parts if part.type == "image"]
            text = "".join(part.text or "" for part in parts) if parts else step.message
            calls = [[call.function_name, call.arguments] for call in step.tool_calls or []]
            results = [result.content for result in step.observation.results] if step.observation else []
            told.append({"source": step.source, "text": text, "calls": calls, "results": results})
        yield len(images), [opened(folder, name) for name in images], json.dumps(told)


def read_agent_traces(folder):
    """By `datasets`, as the hub reads traces: a row for each file, with what `teich` makes of its messages."""
    for row in load(folder, None):
        lines = [json.loads(line) for line in row["trace"].splitlines()]
        assert row["session_id"] == lines[0]["id"]
        messages = [line["message"] for line in lines[1:]]
        users = [message["content"] for message in messages if message["role"] == "user"]
        assert (row["prompt"], row["num_user_messages"]) == (users[0], len(users))
        # What is empty is left out by the reader.
        shown = [(message["role"], message["content"].strip()) for message in messages]
        read = [(message["role"], message["content"].strip()) for message in row["messages"]]
        assert read == [one for one in shown if one[1] or one[0] == "user"]
        images = [name for text in users for name in re.findall(r"!\[picture\]\((.*?)\)", text)]
        yield len(images), [opened(folder, name) for name in images], json.dumps(messages)


def read_tables(folder):
    """Each Parquet file of `tables` by pyarrow: its columns with their types, and its rows."""
    import pyarrow.parquet as pq

    for path in sorted(glob.glob(os.path.join(folder, "*.parquet"))):
        table = pq.read_table(path)
        columns = [f"{field.name}: {field.type}" for field in table.schema]
        rows = [{name: str(cell)[:60] for name, cell in row.items()} for row in table.to_pylist()]
        yield len(rows), [], json.dumps({"table": os.path.basename(path)[:-8], "columns": columns, "rows": rows})


READERS = {
    "tables": read_tables,
    "hub": read_hub,
    "coco": read_coco,
    "atif": read_atif,
    "agent-traces": read_agent_traces,
    "openai": read_openai,
    "trl": read_parquet,
    "parquet": read_parquet,
    "webdataset": read_webdataset,
    "imagefolder": read_imagefolder,
    "llava": read_llava,
    "llama-factory": read_llama_factory,
    "preference": read_preference,
}

if __name__ == "__main__":
    found = [
        {"marks": marks, "images": images, "answer": answer}
        for marks, images, answer in READERS[sys.argv[1]](sys.argv[2])
    ]
    print(json.dumps(found))
