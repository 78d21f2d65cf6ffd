// The activation functions of feed-forward layers, by their names in config.json.

/** The error function by a series of positive terms, exact in double: 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!. */
export function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

const gelu = (x: number) => (x / 2) * (1 + erf(x / Math.SQRT2));
const geluByTanh = (x: number) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

const activations: Readonly<Record<string, (x: number) => number>> = {
  gelu,
  gelu_new: geluByTanh,
  relu: (x) => Math.max(0, x),
  silu: (x) => x / (1 + Math.exp(-x)),
};

export function activation(name: string): (x: number) => number {
  const activation = Object.hasOwn(activations, name) ? activations[name] : undefined;
  if (!activation) throw new Error(`the activation ${name} is not known`);
  return activation;
}
