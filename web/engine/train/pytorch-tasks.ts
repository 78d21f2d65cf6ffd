// The tasks of exported programs: the same batches from the same seed as those of cpp/src/tasks.
import { PhasorError } from '../errors.ts';

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
    """Which token came three before this one?"""
    inputs = torch.tensor([[random.below(SYMBOLS) for _ in range(tokens)] for _ in range(items)])
    targets = torch.full_like(inputs, IGNORED)
    targets[:, 3:] = inputs[:, :-3]
    return inputs, targets
`,
  symbols: '16',
  classes: '16',
  pooled: false,
};

const counting: TaskText = {
  code: `def batch(random, items, tokens):
    """How many ones since the last zero? From 9 on that is one answer."""
    inputs, targets = [], []
    for _ in range(items):
        item, counts, count = [], [], 0
        for _ in range(tokens):
            what, other = random.uniform(), random.below(SYMBOLS - 2)
            item.append(0 if what < 0.1 else 1 if what < 0.1 + 0.4 else 2 + other)
            count = 0 if item[-1] == 0 else min(count + 1, CLASSES - 1) if item[-1] == 1 else count
            counts.append(count)
        inputs.append(item)
        targets.append(counts)
    return torch.tensor(inputs), torch.tensor(targets)
`,
  symbols: '10',
  classes: '10',
  pooled: false,
};

/** Of tokens that are drawn, a share is hidden by the last symbol. */
const hide = (share: number) => `def hide(random, items):
    """A part of the tokens is asked for: the last symbol is in their place."""
    inputs, targets = torch.tensor(items), torch.full((len(items), len(items[0])), IGNORED)
    for item in range(len(items)):
        for token in range(len(items[0])):
            if random.uniform() < ${share}:
                targets[item, token] = inputs[item, token]
                inputs[item, token] = SYMBOLS - 1
    return inputs, targets
`;

/** Items are drawn and hidden one after the other, so that the numbers of both take turns. */
const oneByOne = `    items = [hide(random, [draw_item(random, tokens)]) for _ in range(items)]
    return torch.cat([inputs for inputs, _ in items]), torch.cat([targets for _, targets in items])
`;

const geometry1d: TaskText = {
  code: `def draw_item(random, tokens):
    """A random walk over 8 symbols, reflected at the ends."""
    at, item = random.below(8), []
    for _ in range(tokens):
        item.append(at)
        at += random.below(3) - 1
        at = 1 if at < 0 else 6 if at == 8 else at
    return item


${hide(0.3)}

def batch(random, items, tokens):
    """Which symbols of a random walk are hidden?"""
${oneByOne}`,
  symbols: '9',
  classes: '9',
  pooled: false,
};

const geometry2d: TaskText = {
  code: `def draw_item(random, tokens):
    """Sums of noise over windows of 5 x 5 in a field of 8 x 8, cut at the eighths of a normal distribution."""
    noise = [random.uniform() for _ in range(12 * 12)]
    eighths = [-1.1503493803760079, -0.67448975019608171, -0.31863936396437514, 0.0, 0.31863936396437514, 0.67448975019608171, 1.1503493803760079]
    item = []
    for token in range(tokens):
        total = 0.0
        for y in range(5):
            for x in range(5):
                total += noise[(token // 8 + y) * 12 + token % 8 + x]
        z = (total - 12.5) / 1.4433756729740645
        item.append(sum(edge <= z for edge in eighths))
    return item


${hide(0.3)}

def batch(random, items, tokens):
    """Which cells of a smooth field are hidden?"""
${oneByOne}`,
  symbols: '9',
  classes: '9',
  pooled: false,
};

/** The corpus, and with it how many symbols there are: one more where one of them is no letter. */
const corpus = (more: number) => `def read(path):
    """A text as numbers: lower case, white space as single spaces. The last twentieth is kept from training."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        letters = re.sub("[ \\\\t-\\\\r]+", " ", file.read())
    letters = letters.translate({upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)})
    number = {symbol: n for n, symbol in enumerate(sorted(set(letters)))}
    numbers = torch.tensor([number[symbol] for symbol in letters])
    return len(number), numbers[: len(numbers) - len(numbers) // 20]


SYMBOLS, TRAINING = read(ARGUMENTS.corpus)
${more === 0 ? '' : `SYMBOLS += ${more}  # the last one is no letter\n`}CLASSES = SYMBOLS
`;

const text: TaskText = {
  code: `${corpus(0)}

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

const probe: TaskText = {
  ...text,
  code: `${corpus(1)}

def batch(random, items, tokens):
    """Which character comes next, the first of them behind a token that says nothing?"""
    firsts = [random.below(len(TRAINING) - tokens + 1) for _ in range(items)]
    targets = torch.stack([TRAINING[first : first + tokens] for first in firsts])
    return torch.cat((torch.full((items, 1), SYMBOLS - 1), targets[:, :-1]), 1), targets
`,
};

const maskedText: TaskText = {
  ...text,
  code: `${corpus(1)}

def draw_item(random, tokens):
    first = random.below(len(TRAINING) - tokens + 1)
    return TRAINING[first : first + tokens].tolist()


${hide(0.2)}

def batch(random, items, tokens):
    """Which characters are hidden?"""
${oneByOne}`,
};

const tasks: { readonly [id: string]: TaskText } = {
  order,
  order_long: order,
  copy,
  variable_lengths: copy,
  counting,
  text,
  masked_text: maskedText,
  probe,
  geometry_1d: geometry1d,
  geometry_2d: geometry2d,
};

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
