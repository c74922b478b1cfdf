"""Only the description of the package index is made here: its readers have no clone, so links into one become plain text."""

import re
from pathlib import Path

from setuptools import setup

README = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")

setup(
    long_description=re.sub(r"\[([^\]]+)\]\((?![a-z]+:)[^)#][^)]*\)", r"\1", README),
    long_description_content_type="text/markdown",
)
