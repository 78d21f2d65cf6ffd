// The frequencies that heads use as programs: NumPy starts from the queries and keys that the figure offers, JavaScript from the model.
import type { SourceCode } from '../../contract/kind.ts';
import type { FrequencyNumbers } from './frequencies.ts';
import { literal, modelCode, modelName } from './model-code.ts';

export function frequenciesCode(numbers: FrequencyNumbers, pytorch: string): SourceCode {
  const { reading, layers, heads, trained, channels, q } = numbers;
  const [all = 1, count = 1, width = 1] = q.shape;
  const half = channels.length / 2;
  return {
    numpy: `import numpy as np

# Queries and keys of ${modelName(numbers)} on ${count} characters, before they are rotated: files that this figure offers.
queries, keys = (np.load(name).reshape(${all}, ${count}, ${width}) for name in ('q.npy', 'k.npy'))
# The two channels of each pair, fast pairs to slow ones.
first, second = np.array(${literal(channels)}).T

products, seen = 0, 0
for start in range(0, ${count}, ${trained}):  # pieces as long as the texts of training
    # [heads, characters, pairs]
    a, b = (np.hypot(x[:, start:start + ${trained}, first], x[:, start:start + ${trained}, second]).astype(float) for x in (queries, keys))
    # A query sees its own character and those before.
    lower = np.tril(np.ones((a.shape[1], a.shape[1])))
    products = products + np.einsum('hip,hjp,ij->hp', a, b, lower)
    seen += lower.sum()
products = products / seen
shares = products / products.sum(axis=1, keepdims=True)
halves = np.stack([shares[:, :${half}].sum(axis=1), shares[:, ${half}:].sum(axis=1)], axis=1)
halves = np.vstack([halves, halves.mean(axis=0)])
`,
    pytorch,
    phasor: `${modelCode(numbers)}const tokens = await trainer.tokens(${literal(reading.characters.join(''))});
// The two channels of each pair, fast pairs to slow ones.
const pairs = ${literal(channels)};
const sums = Array.from({ length: ${layers * heads} }, () => pairs.map(() => 0));
let seen = 0;
// Pieces as long as the texts of training.
for (let start = 0; start < tokens.length; start += ${trained}) {
  const piece = tokens.slice(start, start + ${trained});
  // [layers, heads, characters, width of a head], before they are rotated.
  const { q, k } = await trainer.queriesAndKeys(piece);
  seen += (piece.length * (piece.length + 1)) / 2;
  sums.forEach((own, head) =>
    pairs.forEach(([a, b], pair) => {
      let keys = 0;
      for (let at = 0; at < piece.length; at++) {
        const row = (head * piece.length + at) * ${width};
        // A query sees its own character and those before.
        keys += Math.hypot(k.data[row + a], k.data[row + b]);
        own[pair] += Math.hypot(q.data[row + a], q.data[row + b]) * keys;
      }
    }),
  );
}
trainer.dispose();
const means = sums.flat().map((sum) => sum / seen);
const products = { shape: [${all}, ${channels.length}], data: Float32Array.from(means) };
const total = (head) => means.slice(head * ${channels.length}, (head + 1) * ${channels.length}).reduce((sum, one) => sum + one);
const shares = { shape: [${all}, ${channels.length}], data: Float32Array.from(means, (mean, at) => mean / total(Math.floor(at / ${channels.length}))) };
`,
  };
}
