// One text, two languages: programs are written once, in the part of NumPy that PyTorch has too, and translated word by word, so that the two
// cannot drift apart.

export interface Program {
  readonly numpy: string;
  readonly pytorch: string;
  /** The factor on q.k, unless it is the usual one: a Python expression in `width`, the size of a head. */
  readonly scale?: string;
}

/** The factor on q.k of nearly all encodings. */
export const USUAL_SCALE = 'width ** -0.5';

const words: readonly (readonly [RegExp, string])[] = [
  [/np\.asarray\((\w+), dtype=np\.float64\)/g, '$1.double()'],
  [/np\.asarray\((\w+), dtype=int\)/g, '$1.long()'],
  [/np\.arange\(((?:[^()]|\([^()]*\))*), dtype=int\)/g, 'torch.arange($1)'],
  [/np\.arange\(((?:[^()]|\([^()]*\))*)\)/g, 'torch.arange($1, dtype=torch.float64)'],
  [/np\.array\((\w+|\[[^()]*\])\)/g, 'torch.tensor($1, dtype=torch.float64)'],
  [/np\.load\(('[^']*')\)/g, 'torch.from_numpy(NUMPY.load($1)).double()'],
  [/\brandom\(([^()]*)\)/g, 'torch.from_numpy(random($1))'],
  [/np\.eye\((\w+)\)/g, 'torch.eye($1, dtype=torch.float64)'],
  [/np\.pad\((\w+), \(\(0, 0\), \(0, ([^()]*)\)\)\)/g, 'torch.nn.functional.pad($1, (0, $2))'],
  [/\.astype\(int\)/g, '.long()'],
  [/\.astype\(np\.float32\)/g, '.float()'],
  [/\.astype\((\w+)\.dtype\)/g, '.to($1.dtype)'],
  [/np\.concatenate\(/g, 'torch.cat('],
  [/np\.take_along_axis\(/g, 'torch.take_along_dim('],
  [/\baxis=/g, 'dim='],
  [/\bkeepdims=/g, 'keepdim='],
  [/\bnp\./g, 'torch.'],
  [/\bNUMPY\./g, 'np.'],
];

/** Functions whose result PyTorch keeps in float32. */
const ROUNDED = /^def (encode|bias|content_bias|values|decay)\(/;

/** A NumPy text as PyTorch. */
export function pytorchOf(numpy: string): string {
  let inRounded = false;
  return numpy
    .split('\n')
    .map((line) => {
      if (line.startsWith('def ')) inRounded = ROUNDED.test(line);
      const translated = words.reduce((text, [from, to]) => text.replace(from, to), line);
      return inRounded ? translated.replace(/^ {4}return (.*)$/, (_, value) => `    return ${rounded(value)}`) : translated;
    })
    .join('\n');
}

/** A value as float32; in brackets where it is a sum or product of several. */
const rounded = (value: string): string => (isOneTerm(value) ? `${value}.float()` : `(${value}).float()`);

function isOneTerm(value: string): boolean {
  let depth = 0;
  for (const letter of value) {
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if (depth === 0 && ' +-*/@&'.includes(letter)) return false;
  }
  return true;
}

/** Functions, one after the other, in both languages. Empty lines are those of Python's style. */
export function program(functions: readonly (string | undefined)[], scale?: string): Program {
  const numpy = functions
    .filter((text) => text !== undefined)
    .map((text) => `${text.trim()}\n`)
    .join('\n\n');
  return { numpy, pytorch: pytorchOf(numpy), ...(scale === undefined ? {} : { scale }) };
}

/** Lines of a function, without those that are not needed (undefined or false). */
export const lines = (...all: readonly (string | false | undefined)[]): string =>
  all.filter((line) => line !== undefined && line !== false).join('\n');
