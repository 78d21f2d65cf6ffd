"""The tasks of Phasor's trainer: the same batches from the same seed, on every machine (cpp/src/tasks)."""

import re
from collections import namedtuple

import torch

IGNORED = -100
MASK_64 = 2**64 - 1


class Generator:
    """SplitMix64 (Steele, Lea and Flood 2014) from a hash of seed, purpose and step: every process draws the same whole batch."""

    def __init__(self, seed, purpose, step):
        self.state = self.hash(self.hash(self.hash(seed) + purpose) + step)

    @staticmethod
    def hash(x):
        z = (x + 0x9E3779B97F4A7C15) & MASK_64
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK_64
        return z ^ (z >> 31)

    def next(self):
        number = self.hash(self.state)
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK_64
        return number

    def below(self, n):
        """Uniform in 0 .. n - 1."""
        return ((self.next() >> 32) * n) >> 32

    def uniform(self):
        """Uniform in (0, 1)."""
        return ((self.next() >> 11) + 0.5) * 2**-53


class Task:
    """`batch(random, items, tokens)` gives inputs (items, tokens) and targets, of which IGNORED ones do not count."""

    symbols, classes = 0, 0
    pooled = False  # one answer per item, from the mean over its tokens

    def batch(self, random, items, tokens):
        inputs, targets = zip(*(self.item(random, tokens) for _ in range(items)))
        return torch.tensor(inputs), torch.tensor(targets)


class Order(Task):
    """Which of two tokens came first, 0 or 1, among others?"""

    symbols, classes, pooled = 20, 2, True

    def item(self, random, tokens):
        item = [2 + random.below(self.symbols - 2) for _ in range(tokens)]
        a, b = random.below(tokens), random.below(tokens - 1)
        b += b >= a
        item[a], item[b] = 0, 1
        return item, int(a < b)


class Copy(Task):
    """Which token came three places before this one?"""

    symbols, classes = 16, 16

    def item(self, random, tokens):
        item = [random.below(self.symbols) for _ in range(tokens)]
        return item, [IGNORED] * 3 + item[:-3]


class Counting(Task):
    """How many ones since the last zero? From 9 on that is one answer."""

    symbols, classes = 10, 10

    def item(self, random, tokens):
        item, counts, count = [], [], 0
        for _ in range(tokens):
            share, other = random.uniform(), random.below(self.symbols - 2)
            item.append(0 if share < 0.1 else 1 if share < 0.1 + 0.4 else 2 + other)
            count = 0 if item[-1] == 0 else min(count + 1, self.classes - 1) if item[-1] == 1 else count
            counts.append(count)
        return item, counts


class Masked(Task):
    """Which tokens of an item are behind the mask, the last symbol?"""

    symbols, classes, share = 9, 9, 0.3

    def item(self, random, tokens):
        targets = self.draw(random, tokens)
        is_hidden = [random.uniform() < self.share for _ in targets]
        inputs = [self.symbols - 1 if hidden else token for hidden, token in zip(is_hidden, targets)]
        return inputs, [token if hidden else IGNORED for hidden, token in zip(is_hidden, targets)]


class Geometry1d(Masked):
    """A random walk over 8 symbols, reflected at the ends."""

    def draw(self, random, tokens):
        at, item = random.below(8), []
        for _ in range(tokens):
            item.append(at)
            at += random.below(3) - 1
            at = 1 if at < 0 else 6 if at == 8 else at
        return item


class Geometry2d(Masked):
    """Sums of noise over windows of 5 x 5 in a field of 8 x 8, cut at the eighths of a normal distribution."""

    edges = (-1.1503493803760079, -0.67448975019608171, -0.31863936396437514, 0.0)
    edges = (*edges, *(-edge for edge in edges[2::-1]))

    def draw(self, random, tokens):
        noise, item = [random.uniform() for _ in range(12 * 12)], []
        for token in range(tokens):
            total = 0.0
            for y in range(5):
                for x in range(5):
                    total += noise[(token // 8 + y) * 12 + token % 8 + x]
            z = (total - 12.5) / 1.4433756729740645
            item.append(sum(edge <= z for edge in self.edges))
        return item


class Text(Task):
    """Which character comes next?"""

    extra_symbols = 0

    def __init__(self, path):
        """A text in lower case, white space as single spaces. The last twentieth is kept from training."""
        with open(path, encoding='utf-8-sig', newline='') as file:
            letters = re.sub('[ \t-\r]+', ' ', file.read())
        letters = letters.translate({upper: upper + 32 for upper in range(ord('A'), ord('Z') + 1)})
        number = {symbol: n for n, symbol in enumerate(sorted(set(letters)))}
        numbers = [number[symbol] for symbol in letters]
        self.training = numbers[: len(numbers) - len(numbers) // 20]
        self.symbols = self.classes = len(number) + self.extra_symbols

    def window(self, random, count, starts):
        first = random.below(starts)
        return self.training[first : first + count]

    def item(self, random, tokens):
        window = self.window(random, tokens + 1, len(self.training) - tokens)
        return window[:-1], window[1:]


class Probe(Text):
    """Which character comes next, the first of them behind a token that says nothing?"""

    extra_symbols = 1

    def item(self, random, tokens):
        targets = self.window(random, tokens, len(self.training) - tokens + 1)
        return [self.symbols - 1, *targets[:-1]], targets


class MaskedText(Masked, Text):
    """Which characters are hidden?"""

    extra_symbols, share = 1, 0.2

    def draw(self, random, tokens):
        return self.window(random, tokens, len(self.training) - tokens + 1)


TASKS = {
    'order': Order, 'order_long': Order, 'copy': Copy, 'variable_lengths': Copy, 'counting': Counting, 'text': Text,
    'masked_text': MaskedText, 'probe': Probe, 'geometry_1d': Geometry1d, 'geometry_2d': Geometry2d,
}  # fmt: skip


def make_task(name, corpus):
    if name not in TASKS:
        raise SystemExit(f'task: {name} is not in this file; expected one of {", ".join(TASKS)}')
    return TASKS[name](corpus) if issubclass(TASKS[name], Text) else TASKS[name]()


Batch = namedtuple('Batch', 'inputs targets positions')


def draw_batch(task, config, step):
    """The batch of a step; positions are float64."""
    random = Generator(config.seed, 1, step)
    items, tokens = config.batch_size, config.sequence_length
    if config.min_sequence_length > 0:
        tokens = config.min_sequence_length + random.below(config.sequence_length - config.min_sequence_length + 1)
        items = max(1, config.batch_size * config.sequence_length // tokens)
    inputs, targets = task.batch(random, items, tokens)
    positions = range(tokens)
    if config.randomized_positions > 0:  # Ruoss et al. 2023: so many of a longer range, in order
        positions = []
        for position in range(config.randomized_positions):
            if random.below(config.randomized_positions - position) < tokens - len(positions):
                positions.append(position)
    return Batch(inputs, targets, torch.tensor(list(positions), dtype=torch.float64) + config.position_offset)
