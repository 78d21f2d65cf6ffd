"""The model of Phasor's trainer in PyTorch, with any encoding of this folder: reads its config and weights, and goes on training.

    python transformer.py order_rope.json [--corpus text.txt]
    torchrun --nproc_per_node=2 transformer.py order_rope.json

begins with order_rope.safetensors beside the config; with --fresh from new weights. Batches are those of Phasor, and every
process takes its share of each (DistributedDataParallel).
"""

import argparse
import importlib
import json
import math
import os
import re
import struct
from dataclasses import dataclass, field, fields
from typing import Optional

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from learned_encodings import LEARNED, MISSING, TorchEncoding
from tasks import IGNORED, draw_batch, make_task

DRAWING = ('seed', 'init_std', 'mlp_width')  # parameters of how numbers are drawn, and sizes
BIAS_TABLES = ('encoding.table',)  # of t5: learned at table_lr times the rate


@dataclass
class Config:
    """A config of the trainer, by the names of its fields in snake_case."""

    task: str
    encoding: dict = field(default_factory=lambda: {'id': 'none'})
    seed: int = 0
    layers: int = 2
    heads: int = 4
    embed_dim: int = 64
    dim_feedforward: int = 0  # 0: 4 * embed_dim
    norm: str = 'layer_norm'  # or 'rms_norm'
    activation: str = 'gelu'  # or 'gelu_tanh', 'relu', 'swiglu'
    causal: bool = True
    sinks: bool = False
    qk_norm: bool = False
    tie_word_embeddings: bool = False
    scale: Optional[float] = None
    position_offset: float = 0
    randomized_positions: int = 0
    table_init_std: float = 0.02
    batch_size: int = 32
    sequence_length: int = 32
    min_sequence_length: int = 0
    optimizer: str = 'adamw'  # or 'sgd'
    steps: int = 1000
    lr: float = 1e-3
    warmup_steps: int = 0
    min_lr_ratio: float = 0
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    weight_decay: float = 0
    momentum: float = 0.9
    max_grad_norm: float = 0
    label_smoothing: float = 0
    bias_table_lr_scale: float = 1


def read_config(path):
    with open(path, encoding='utf-8') as file:
        given = {re.sub('[A-Z]', lambda letter: '_' + letter[0].lower(), name): value for name, value in json.load(file).items()}
    names = [one.name for one in fields(Config)]
    for name in given:
        if name not in names and name != 'portable':  # portable: of WebAssembly alone
            raise SystemExit(f'{name} is not a field of {path}; expected one of {", ".join(names)}')
    return Config(**{name: value for name, value in given.items() if name in names and value is not None})


def read_safetensors(path):
    """Header length, header, numbers (huggingface/safetensors), of F32 and F16."""
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    start = 8 + struct.unpack('<Q', data[:8])[0]
    types, tensors = {'F32': torch.float32, 'F16': torch.float16}, {}
    for name, entry in json.loads(data[8:start].decode()).items():
        if name != '__metadata__':
            first, end = entry['data_offsets']
            numbers = torch.frombuffer(data[start + first : start + end], dtype=types[entry['dtype']])
            tensors[name] = numbers.float().reshape(entry['shape'])
    return tensors


def make_encoding(config):
    """The encoding of a config: its reference, in PyTorch where it has trained parameters."""
    name = config.encoding['id']
    params = {key: value for key, value in config.encoding.items() if key != 'id'}
    if name in MISSING or params.get('remap', 'none') != 'none':
        raise SystemExit(f'encoding: {config.encoding} is not written in PyTorch here; expected one other than {", ".join(MISSING)}')
    class_name = 'NoEncoding' if name == 'none' else ''.join(part.capitalize() for part in name.split('_'))
    reference = getattr(importlib.import_module(name), class_name)(**{key: params[key] for key in params if key not in DRAWING})
    return LEARNED.get(name, TorchEncoding)(reference, config)


class RmsNorm(nn.Module):
    """Zhang and Sennrich 2019; of queries and keys per head as in Qwen 3."""

    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight


class Attention(nn.Module):
    def __init__(self, config, encoding):
        super().__init__()
        dim = config.embed_dim
        self.heads, self.head_dim, self.causal = config.heads, dim // config.heads, config.causal
        self.scale = config.scale or encoding.reference.logit_scale(self.head_dim)
        self.in_proj_weight = nn.Parameter(torch.empty(3 * dim, dim))
        nn.init.uniform_(self.in_proj_weight, -(dim**-0.5), dim**-0.5)
        self.out_proj = nn.Linear(dim, dim, bias=False)
        for name, parameter in encoding.layer_parameters(config).items():
            self.register_parameter(name, parameter)
        self.sinks = nn.Parameter(torch.zeros(config.heads)) if config.sinks else None
        self.q_norm, self.k_norm = (RmsNorm(self.head_dim) if config.qk_norm else nn.Identity() for _ in range(2))

    def forward(self, x, positions, encoding):
        items, tokens, dim = x.shape
        q, k, v = F.linear(x, self.in_proj_weight).view(items, tokens, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k = self.q_norm(q), self.k_norm(k)
        q, k = encoding.rotate(q, positions, 'query'), encoding.rotate(k, positions, 'key')
        scores = self.scale * encoding.products(self, x, q, k)
        scores = encoding.change_scores(self, x, q, k, scores, positions, self.scale)  # (items, heads, tokens, tokens)
        if self.causal:
            later = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(later, float('-inf'))
        if self.sinks is not None:
            scores = torch.cat((scores, self.sinks.view(-1, 1, 1).expand(items, self.heads, tokens, 1)), -1)
        weights = scores.softmax(-1)[..., :tokens]
        mixed = weights @ v + encoding.value_bias(weights, positions)
        return self.out_proj(mixed.transpose(1, 2).reshape(items, tokens, dim))


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        dim, hidden = config.embed_dim, config.dim_feedforward or 4 * config.embed_dim
        self.activation, gated = config.activation, config.activation == 'swiglu'
        self.up = nn.Linear(dim, 2 * hidden if gated else hidden, bias=not gated)  # of swiglu the gates first
        self.down = nn.Linear(hidden, dim, bias=not gated)

    def forward(self, x):
        x = self.up(x)
        if self.activation == 'swiglu':
            gate, value = x.chunk(2, -1)
            return self.down(F.silu(gate) * value)
        if self.activation == 'relu':
            return self.down(F.relu(x))
        return self.down(F.gelu(x, approximate='tanh' if self.activation == 'gelu_tanh' else 'none'))


def make_norm(config):
    return nn.LayerNorm(config.embed_dim) if config.norm == 'layer_norm' else RmsNorm(config.embed_dim)


class Layer(nn.Module):
    def __init__(self, config, encoding):
        super().__init__()
        self.norm1, self.attention = make_norm(config), Attention(config, encoding)
        self.norm2, self.feed_forward = make_norm(config), FeedForward(config)

    def forward(self, x, positions, encoding):
        x = x + self.attention(self.norm1(x), positions, encoding)
        return x + self.feed_forward(self.norm2(x))


class Transformer(nn.Module):
    """Norms come first (Xiong et al. 2020), and embeddings are multiplied by sqrt(embed_dim)."""

    def __init__(self, config, task):
        super().__init__()
        self.pooled = task.pooled
        self.embedding = nn.Embedding(task.symbols, config.embed_dim)
        nn.init.normal_(self.embedding.weight, std=config.embed_dim**-0.5)
        self.encoding = make_encoding(config)
        self.layers = nn.ModuleList(Layer(config, self.encoding) for _ in range(config.layers))
        self.norm = make_norm(config)
        self.head = None if config.tie_word_embeddings else nn.Linear(config.embed_dim, task.classes)

    def forward(self, tokens, positions):
        """Tokens (items, tokens) at positions (tokens,) -> logits (items, tokens, classes), pooled (items, classes)."""
        dim = self.embedding.embedding_dim
        x = dim**0.5 * self.embedding(tokens)
        table = self.encoding.position_table(positions, dim).to(x.device)
        x = x + F.pad(table, (0, dim - table.shape[1]))
        for layer in self.layers:
            x = layer(x, positions, self.encoding)
        x = self.norm(x)
        if self.pooled:
            x = x.mean(1)
        return F.linear(x, self.embedding.weight) if self.head is None else self.head(x)


def schedule(config, step):
    """The factor on the rate in a step, from 1 on: a linear warm-up, then half a cosine."""
    if step < config.warmup_steps:
        return step / config.warmup_steps
    if config.steps <= config.warmup_steps:
        return 1.0
    way = min(1.0, (step - config.warmup_steps) / (config.steps - config.warmup_steps))
    return config.min_lr_ratio + (1 - config.min_lr_ratio) * 0.5 * (1 + math.cos(math.pi * way))


def make_optimizer(config, model):
    groups = []
    for name, parameter in model.named_parameters():
        factor = config.bias_table_lr_scale if config.encoding['id'] == 't5' and name in BIAS_TABLES else 1
        decay = config.weight_decay if parameter.dim() > 1 else 0  # of matrices alone
        groups.append({'params': [parameter], 'factor': factor, 'weight_decay': decay})
    if config.optimizer == 'sgd':
        return torch.optim.SGD(groups, lr=config.lr, momentum=config.momentum)
    return torch.optim.AdamW(groups, lr=config.lr, betas=(config.beta1, config.beta2), eps=config.eps)


def train(config, task, model, steps, rank, world, device):
    """Goes through the steps and prints the loss of each, by the process of rank 0."""
    optimizer = make_optimizer(config, model)
    devices = [device] if device.type == 'cuda' else None
    run = DistributedDataParallel(model, device_ids=devices) if world > 1 else model
    for step in range(1, steps + 1):
        inputs, targets, positions = draw_batch(task, config, step - 1)
        if len(inputs) < world:
            raise SystemExit(f'batch_size: {len(inputs)} items are too few for {world} processes; expected one for each')
        answers = (targets != IGNORED).sum()  # of all processes
        # Gradients are means over processes, so the share of the loss counts so many times.
        logits = run(inputs[rank::world].to(device), positions).flatten(0, -2)
        target = targets[rank::world].flatten().to(device)
        smoothing = config.label_smoothing
        share = F.cross_entropy(logits, target, ignore_index=IGNORED, label_smoothing=smoothing, reduction='sum') / answers
        for group in optimizer.param_groups:
            group['lr'] = config.lr * group['factor'] * schedule(config, step)
        optimizer.zero_grad()
        (share * world).backward()
        if config.max_grad_norm > 0:
            nn.utils.clip_grad_norm_(model.parameters(), config.max_grad_norm)
        optimizer.step()
        loss = share.detach()
        if world > 1:
            dist.all_reduce(loss)
        if rank == 0:
            print(json.dumps({'step': step, 'loss': loss.item()}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('config', help='the JSON that trainer.toPyTorch() gives')
    parser.add_argument('--weights', help='a safetensors file; default: beside the config')
    parser.add_argument('--fresh', action='store_true', help='begin with new weights')
    parser.add_argument('--corpus', help='the text, UTF-8, of tasks that read one')
    parser.add_argument('--steps', type=int, help='default: those of the config')
    parser.add_argument('--out', help='where to save the state_dict at the end')
    arguments = parser.parse_args()
    config = read_config(arguments.config)
    rank, world = int(os.environ.get('RANK', 0)), int(os.environ.get('WORLD_SIZE', 1))
    device = torch.device('cpu')
    if torch.cuda.is_available():
        device = torch.device('cuda', int(os.environ.get('LOCAL_RANK', 0)))
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group('nccl' if device.type == 'cuda' else 'gloo')
    torch.manual_seed(config.seed)
    task = make_task(config.task, arguments.corpus)
    model = Transformer(config, task)
    if not arguments.fresh:
        model.load_state_dict(read_safetensors(arguments.weights or os.path.splitext(arguments.config)[0] + '.safetensors'))
    model.to(device)
    train(config, task, model, arguments.steps or config.steps, rank, world, device)
    if rank == 0 and arguments.out:
        torch.save(model.state_dict(), arguments.out)
    if world > 1:
        dist.barrier()  # a process that leaves early would abort those that still talk to it
        dist.destroy_process_group()


if __name__ == '__main__':
    main()
