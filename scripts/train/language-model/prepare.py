"""Tokenizer and training text of the small language model, from Jane Austen's six novels.

    python3 prepare.py FOLDER_OF_PACKAGE OUT

FOLDER_OF_PACKAGE: the unpacked Debian package r-cran-janeaustenr. Needs tokenizers and rdata from PyPI.
Writes tokenizer.json, and corpus.txt with one character of the private use area of Unicode per token, which the
task `text` of the trainer reads as symbols. Pride and Prejudice is last, because the trainer excludes the last
twentieth of a text from training.
"""

import gzip
import lzma
import pathlib
import re
import struct
import sys
import zlib

import rdata
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

ORDER = ["sensesensibility", "mansfieldpark", "emma", "northangerabbey", "persuasion", "prideprejudice"]
VOCAB_SIZE = 1024
WORDS = r"'(?:s|t|d|m|ll|ve|re)| ?[A-Za-z]+| ?[0-9]| ?[^\sA-Za-z0-9]+|\s+"
FIRST = 0xE000


def unpacked(data: bytes) -> object:
    """Decodes an object of an R package database: its size in four bytes, then zlib, or "Z" and xz."""
    body = data[4:]
    raw = lzma.decompress(body[1:]) if body[:1] == b"Z" else zlib.decompress(body)
    assert len(raw) == struct.unpack(">I", data[:4])[0]
    return rdata.conversion.convert(rdata.parser.parse_data(raw))


def read_novels(package: pathlib.Path) -> dict[str, str]:
    base = next(package.rglob("data/Rdata.rdx"))
    index = rdata.conversion.convert(rdata.parser.parse_data(gzip.decompress(base.read_bytes())))
    database = base.with_suffix(".rdb").read_bytes()
    places = {str(name): (int(begin), int(size)) for name, (begin, size) in index["variables"].items()}
    return {name: "\n".join(map(str, unpacked(database[at : at + size]))) for name, (at, size) in places.items()}


def unwrapped(text: str) -> str:
    """Writes each paragraph as one line."""
    text = re.sub(r"(?<!\n)\n(?!\n)", " ", text.replace("\r\n", "\n"))
    return re.sub(r" {2,}", " ", re.sub(r" *\n[\n ]*", "\n", text)).strip() + "\n"


def make_tokenizer(text: str) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    to_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(WORDS), "isolated"), to_bytes])
    tokenizer.decoder = decoders.ByteLevel()
    seen = sorted({letter for part, _ in to_bytes.pre_tokenize_str(text) for letter in part})
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB_SIZE, special_tokens=["<unk>"], initial_alphabet=seen, show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def main(package: str, out: str) -> None:
    novels = read_novels(pathlib.Path(package))
    text = "".join(unwrapped(novels[name]) for name in ORDER)
    tokenizer = make_tokenizer(text)
    ids = tokenizer.encode(text).ids
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "corpus.txt").write_text("".join(chr(FIRST + token) for token in ids), encoding="utf8")
    print(f"{len(text)} characters, {len(ids)} tokens, {len(set(ids))} of {tokenizer.get_vocab_size()} ids occur")


if __name__ == "__main__":
    main(*sys.argv[1:])
