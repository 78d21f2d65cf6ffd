// The tasks of exported programs: the same batches from the same seed as those of cpp/src/tasks.
import { PhasorError } from '../errors/errors.ts';

export interface TaskText {
  readonly code: string;
  readonly symbols: string;
  readonly classes: string;
  /** One answer an item, from the mean over its tokens. */
  readonly pooled: boolean;
  readonly readsCorpus?: boolean;
}

const order: TaskText = {
  code: `def batch(random, items, tokens):
    """Which of two tokens came first, 0 or 1, among others?"""
    inputs, targets = [], []
    for _ in range(items):
        item = [2 + random.below(SYMBOLS - 2) for _ in range(tokens)]
        a, b = random.below(tokens), random.below(tokens - 1)
        b += b >= a
        item[a], item[b] = 0, 1
        inputs.append(item)
        targets.append(int(a < b))
    return torch.tensor(inputs), torch.tensor(targets)
`,
  symbols: '20',
  classes: '2',
  pooled: true,
};

const copy: TaskText = {
  code: `def batch(random, items, tokens):
    """Which token stood three before this one?"""
    inputs = torch.tensor([[random.below(SYMBOLS) for _ in range(tokens)] for _ in range(items)])
    targets = torch.full_like(inputs, IGNORED)
    targets[:, 3:] = inputs[:, :-3]
    return inputs, targets
`,
  symbols: '16',
  classes: '16',
  pooled: false,
};

const text: TaskText = {
  code: `def read(path):
    """A text as numbers: lower case, white space as single spaces. The last twentieth is kept from training."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        letters = re.sub("[ \\\\t-\\\\r]+", " ", file.read())
    letters = letters.translate({upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)})
    number = {symbol: n for n, symbol in enumerate(sorted(set(letters)))}
    numbers = torch.tensor([number[symbol] for symbol in letters])
    return len(number), numbers[: len(numbers) - len(numbers) // 20]


SYMBOLS, TRAINING = read(ARGUMENTS.corpus)
CLASSES = SYMBOLS


def batch(random, items, tokens):
    """Which character comes next?"""
    firsts = [random.below(len(TRAINING) - tokens) for _ in range(items)]
    windows = torch.stack([TRAINING[first : first + tokens + 1] for first in firsts])
    return windows[:, :-1], windows[:, 1:]
`,
  symbols: '',
  classes: '',
  pooled: false,
  readsCorpus: true,
};

const tasks: { readonly [id: string]: TaskText } = { order, order_long: order, copy, variable_lengths: copy, text };

/** What an exported program has of a task. */
export function taskText(id: string): TaskText {
  const found = tasks[id];
  if (found) return found;
  const allowed = Object.keys(tasks);
  throw new PhasorError('unsupported', `task: ${id} cannot be exported to PyTorch; ${allowed.join(', ')} can`, {
    path: 'task',
    value: id,
    allowed,
  });
}
