// A trainer as a PyTorch program: one file that is read from top to bottom, assembled from the pieces that its spec needs.

import type { FullTrainSpec } from '../types/train-spec.ts';
import { encodingText } from './pytorch-encodings.ts';
import { modelText } from './pytorch-model.ts';
import { taskText } from './pytorch-tasks.ts';

/** The same numbers as cpp/src/math/generator.h. */
const generator = `class Generator:
    """SplitMix64 (Steele, Lea and Flood 2014) from a hash of seed and step: every process draws the same whole batch."""

    def __init__(self, seed, purpose, step):
        self.state = self.hash(self.hash(self.hash(seed) + purpose) + step)

    @staticmethod
    def hash(x):
        z = (x + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return z ^ (z >> 31)

    def below(self, n):  # uniform in 0 .. n - 1
        number = self.hash(self.state)
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        return ((number >> 32) * n) >> 32
`;

/** Where a task draws shares of something. */
const uniform = `
    def uniform(self):  # in (0, 1)
        number = self.hash(self.state)
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        return ((number >> 11) + 0.5) * 2**-53
`;

const weights = `def read_safetensors(path):
    """Header length, header, numbers: huggingface/safetensors, of F32 and F16."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    start = 8 + struct.unpack("<Q", data[:8])[0]
    types, tensors = {"F32": torch.float32, "F16": torch.float16}, {}
    for name, entry in json.loads(data[8:start].decode()).items():
        if name != "__metadata__":
            first, end = entry["data_offsets"]
            numbers = torch.frombuffer(data[start + first : start + end], dtype=types[entry["dtype"]])
            tensors[name] = numbers.float().reshape(entry["shape"])
    return tensors
`;

function drawing(spec: FullTrainSpec): string {
  const sizes =
    spec.shortestLength === 0
      ? '    items, tokens = BATCH, LENGTH\n'
      : `    tokens = ${spec.shortestLength} + random.below(LENGTH - ${spec.shortestLength} + 1)
    items = max(1, BATCH * LENGTH // tokens)
`;
  const positions =
    spec.randomizedPositions === 0
      ? `torch.arange(tokens, dtype=torch.float64) + ${spec.positionOffset}`
      : `torch.tensor(subset(random, tokens), dtype=torch.float64) + ${spec.positionOffset}`;
  const subset =
    spec.randomizedPositions === 0
      ? ''
      : `def subset(random, count):
    """Randomised positions (Ruoss et al. 2023): so many of 0 .. ${spec.randomizedPositions - 1}, in order."""
    chosen = []
    for position in range(${spec.randomizedPositions}):
        if random.below(${spec.randomizedPositions} - position) < count - len(chosen):
            chosen.append(position)
    return chosen


`;
  return `${subset}def draw(step):
    random = Generator(SEED, 1, step)
${sizes}    inputs, targets = batch(random, items, tokens)
    return inputs, targets, ${positions}
`;
}

const optimizer = (spec: FullTrainSpec) =>
  spec.optimizer === 'adamw'
    ? `torch.optim.AdamW(groups, lr=LR, betas=(${spec.beta1}, ${spec.beta2}), eps=${spec.eps})`
    : `torch.optim.SGD(groups, lr=LR, momentum=${spec.momentum})`;

function training(spec: FullTrainSpec, biasTable: string | undefined, pooled: boolean): string {
  return `def schedule(step):
    """The factor on LR in a step, from 1 on: a linear warm-up, then half a cosine."""
    if step < WARMUP_STEPS:
        return step / WARMUP_STEPS
    if STEPS <= WARMUP_STEPS:
        return 1.0
    way = min(1.0, (step - WARMUP_STEPS) / (STEPS - WARMUP_STEPS))
    return FINAL_LR + (1 - FINAL_LR) * 0.5 * (1 + math.cos(math.pi * way))


def make_optimizer(model):
    groups = []
    for name, parameter in model.named_parameters():
        factor = ${biasTable ? `${spec.tableLr} if name == "${biasTable}" else 1` : '1'}
        decay = ${spec.weightDecay} if parameter.dim() > 1 else 0  # of matrices alone
        groups.append({"params": [parameter], "factor": factor, "weight_decay": decay})
    return ${optimizer(spec)}


def main():
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if torch.cuda.is_available() else torch.device("cpu")
    if world > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    torch.manual_seed(SEED)
    model = Model()
    if not ARGUMENTS.fresh:
        model.load_state_dict(read_safetensors(ARGUMENTS.weights))
    model.to(device)
    optimizer = make_optimizer(model)
    run = DistributedDataParallel(model) if world > 1 else model
    for step in range(1, ARGUMENTS.steps + 1):
        inputs, targets, positions = draw(step - 1)
        if len(inputs) < world:
            raise SystemExit(f"A batch of {len(inputs)} items is too small for {world} processes.")
        answers = (targets != IGNORED).sum()  # of all processes
        # Each has its items; gradients are means over processes, so the share of the loss counts so many times.
        logits = run(inputs[rank::world].to(device), positions)
        target = targets[rank::world].reshape(-1).to(device)
        share = F.cross_entropy(logits.reshape(-1, CLASSES), target, ignore_index=IGNORED, label_smoothing=LABEL_SMOOTHING, reduction="sum")
        share = share / answers
        for group in optimizer.param_groups:
            group["lr"] = LR * group["factor"] * schedule(step)
        optimizer.zero_grad()
        (share * world).backward()
${spec.maxGradNorm > 0 ? `        nn.utils.clip_grad_norm_(model.parameters(), ${spec.maxGradNorm})\n` : ''}        optimizer.step()
        loss = share.detach()
        if world > 1:
            dist.all_reduce(loss)
        if rank == 0:
            print(json.dumps({"step": step, "loss": loss.item()}), flush=True)
    if rank == 0 and ARGUMENTS.out:
        torch.save(model.state_dict(), ARGUMENTS.out)
    if world > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
`.replace('logits.reshape(-1, CLASSES)', pooled ? 'logits' : 'logits.reshape(-1, CLASSES)');
}

/** The program, whose weights lie beside it under `name`. */
export function pytorchProgram(spec: FullTrainSpec, name: string): string {
  const [encoding, task] = [encodingText(spec), taskText(spec.task)];
  const scale = spec.scale === undefined ? (encoding.scale ?? 'HEAD_WIDTH**-0.5') : String(spec.scale);
  const feedForward = spec.feedForward > 0 ? String(spec.feedForward) : '4 * WIDTH';
  const corpus = task.readsCorpus ? ' --corpus TEXT' : '';
  const parts = [
    `"""The task ${spec.task} with the encoding ${spec.encoding.id}, exported by Phasor.

    python ${name}.py${corpus}
    torchrun --nproc_per_node=2 ${name}.py${corpus}

goes on from ${name}.safetensors beside it; with --fresh from weights of its own. The batches are those of Phasor, and every
process takes its share of each.
"""
import argparse
import json
import math
import os
${task.readsCorpus ? 'import re\n' : ''}import struct

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

SEED = ${spec.seed}
LAYERS, HEADS, WIDTH = ${spec.layers}, ${spec.heads}, ${spec.width}
HEAD_WIDTH, FEED_FORWARD = WIDTH // HEADS, ${feedForward}
SCALE = ${scale}
INPUT_STD = ${spec.inputStd}
BATCH, LENGTH = ${spec.batch}, ${spec.length}
STEPS, LR, WARMUP_STEPS, FINAL_LR = ${spec.steps}, ${spec.lr}, ${spec.warmupSteps}, ${spec.finalLr}
LABEL_SMOOTHING = ${spec.labelSmoothing}
IGNORED = -100
${task.symbols ? `SYMBOLS, CLASSES = ${task.symbols}, ${task.classes}\n` : ''}
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=STEPS)
parser.add_argument("--weights", default=os.path.splitext(os.path.abspath(__file__))[0] + ".safetensors")
parser.add_argument("--fresh", action="store_true", help="begin with weights of its own")
parser.add_argument("--out", help="where to save the state_dict at the end")
${task.readsCorpus ? 'parser.add_argument("--corpus", required=True, help="the text, UTF-8")\n' : ''}ARGUMENTS = parser.parse_args()
`,
    task.code.includes('random.uniform') ? `${generator}${uniform}` : generator,
    task.code,
    drawing(spec),
    modelText(spec, encoding, task.pooled),
    weights,
    training(spec, encoding.biasTable, task.pooled),
  ];
  return parts
    .map((part) => part.trimEnd())
    .join('\n\n\n')
    .concat('\n');
}
