"""Records queries before and after their rotation in the attention of small random models of transformers, correct and with injected faults.

    python doctor_dumps.py FOLDER

writes q_before.npy, q_after.npy (bfloat16 widened, which is exact), config.json and expected.json to a folder per dump.
"""

import json
import pathlib
import sys

import numpy
import torch
import transformers

SIZES = dict(hidden_size=128, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, vocab_size=64, pad_token_id=0)
LONG = dict(max_position_embeddings=8192)
LLAMA3 = dict(rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=1024)
YARN = dict(rope_type="yarn", rope_theta=1000000.0, factor=4.0, original_max_position_embeddings=2048)
# By family: options of its config, and the layer to record.
FAMILIES = {
    "llama": (dict(head_dim=32, rope_parameters=LLAMA3), 0),
    "mistral": (dict(head_dim=32), 0),
    "qwen2": (dict(rope_parameters=YARN), 1),
    "qwen3": (dict(head_dim=64), 0),
    "gemma": (dict(head_dim=32), 0),
    "gemma2": (dict(head_dim=32), 1),
    "gemma3_text": (dict(head_dim=32, num_hidden_layers=6), 5),
    "phi3": (dict(), 0),
    "gpt_neox": (dict(num_key_value_heads=None), 0),
    "cohere": (dict(), 0),
    "glm4": (dict(head_dim=32), 0),
    "olmo2": (dict(), 0),
    "starcoder2": (dict(), 1),
    "stablelm": (dict(), 0),
    "granite": (dict(), 0),
}
INTERLEAVED = ("cohere", "glm4")
TOKENS = 32


class Fault:
    """A fault in positions or in the rotation; the base class changes nothing."""

    verdict = "as_claimed"
    params = {}

    def positions(self, ids):
        return ids

    def rotate(self, apply, q, k, cos, sin, *rest, **named):
        return apply(q, k, cos, sin, *rest, **named)


class Shifted(Fault):
    verdict, params = "position_offset", {"offset": 1}

    def positions(self, ids):
        return ids + 1


class Restarted(Fault):
    verdict, params = "positions_restart", {"at": 12}

    def positions(self, ids):
        return torch.where(torch.arange(ids.shape[1]) < 12, ids, ids - ids[:, 12:13])


class Backwards(Fault):
    verdict = "reversed_direction"

    def rotate(self, apply, q, k, cos, sin, *rest, **named):
        return apply(q, k, cos, -sin, *rest, **named)


class Twice(Fault):
    verdict = "rotated_twice"

    def rotate(self, apply, q, k, cos, sin, *rest, **named):
        return apply(*apply(q, k, cos, sin, *rest, **named), cos, sin, *rest, **named)


class Skipped(Fault):
    verdict = "not_rotated"

    def rotate(self, apply, q, k, cos, sin, *rest, **named):
        return q, k


class OtherPairs(Fault):
    """Rotates the other pairs of channels, by permuting channels before and after the rotation."""

    verdict = "wrong_pairing"
    family = ""

    def rotate(self, apply, q, k, cos, sin, *rest, **named):
        width = cos.shape[-1]
        halves = torch.cat([torch.arange(0, width, 2), torch.arange(1, width, 2)])
        order = torch.argsort(halves) if self.family in INTERLEAVED else halves
        back = torch.argsort(order)

        def permuted(x, by):
            return torch.cat([x[..., :width][..., by], x[..., width:]], -1)

        q, k = apply(permuted(q, order), permuted(k, order), cos, sin, *rest, **named)
        return permuted(q, back), permuted(k, back)


FAULTS = {"correct": Fault, "shifted": Shifted, "restarted": Restarted, "backwards": Backwards, "twice": Twice, "skipped": Skipped, "other-pairs": OtherPairs}


def config_of(family, options):
    options = {**SIZES, **LONG, **options}
    return transformers.AutoConfig.for_model(family, **{name: value for name, value in options.items() if value is not None})


def record(family, config, layer, fault, dtype):
    torch.manual_seed(54)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="eager").eval()
    module = sys.modules[type(model).__module__]
    apply = module.apply_rotary_pos_emb
    calls = []

    def recorded(q, k, cos, sin, *rest, **named):
        rotated = fault.rotate(apply, q, k, cos, sin, *rest, **named)
        calls.append((q, rotated[0]))
        return rotated

    module.apply_rotary_pos_emb = recorded
    try:
        ids = torch.arange(TOKENS)[None]
        with torch.no_grad():
            model(input_ids=torch.randint(0, 64, (1, TOKENS)), position_ids=fault.positions(ids), use_cache=False)
    finally:
        module.apply_rotary_pos_emb = apply
    return calls[layer]


def write(folder, family, config, layer, fault, dtype):
    folder.mkdir(parents=True)
    expected = {"verdict": fault.verdict, "params": fault.params, "layer": layer, "family": family}
    (folder / "expected.json").write_text(json.dumps(expected))
    (folder / "config.json").write_text(json.dumps(config.to_dict(), default=str))
    return folder


def save(folder, tensors):
    for name, tensor in zip(("q_before", "q_after"), tensors):
        numpy.save(folder / f"{name}.npy", tensor.float().contiguous().numpy())


def main():
    root = pathlib.Path(sys.argv[1])
    for at, (family, (options, layer)) in enumerate(FAMILIES.items()):
        dtype = (torch.float32, torch.bfloat16, torch.float16)[at % 3]
        config = config_of(family, options)
        for name, kind in FAULTS.items():
            fault = kind()
            fault.family = family
            save(write(root / f"{family}-{name}", family, config, layer, fault, dtype), record(family, config, layer, fault, dtype))
        # A port whose base differs from that of the config.
        fault = Fault()
        fault.verdict, fault.params = "wrong_base", {"found": 20000}
        parameters = dict(rope_type="default", rope_theta=20000.0)
        if getattr(config, "partial_rotary_factor", None):
            parameters["partial_rotary_factor"] = config.partial_rotary_factor
        if "rope_parameters" not in options and family not in ("gemma3_text", "gpt_neox", "glm4", "stablelm"):
            port = config_of(family, {**options, "rope_parameters": parameters})
            save(write(root / f"{family}-base", family, config, layer, fault, dtype), record(family, port, layer, fault, dtype))
        if "rope_parameters" in options:
            fault.verdict, fault.params = "scaling_missing", {}
            plain = dict(rope_type="default", rope_theta=options["rope_parameters"]["rope_theta"])
            port = config_of(family, {**options, "rope_parameters": plain})
            save(write(root / f"{family}-unscaled", family, config, layer, fault, dtype), record(family, port, layer, fault, dtype))
        print(family, flush=True)


main()
