// Unpacks the wheel of dist/python as pip does and calls its functions with NumPy alone. `npm run test:notebook` installs it into real notebooks.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findPython } from '../web/python/run.ts';

interface Answer {
  readonly error?: string;
  readonly value?: unknown;
  readonly spec?: { readonly [field: string]: unknown };
  readonly arrays?: { readonly [name: string]: { readonly shape: number[]; readonly data: number[] } };
  readonly warnings?: string[];
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = readdirSync('dist/python');
const folder = mkdtempSync(join(tmpdir(), 'phasor-wheel-'));

function answersOf(calls: readonly string[]) {
  const input = JSON.stringify({ wheel: join('dist/python', names[0] ?? ''), folder, calls });
  const { status, stdout, stderr } = spawnSync(findPython(), ['-B', 'tests/shipped/wheel.py'], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as { written: string[]; found: string[]; sources: string[]; importsTorch: boolean; answers: Answer[] };
}

/** Calls and their expected results. `w`: [2 heads, 2 queries, 3 keys], 0 to 11 sixteenths. */
const SHOWN: readonly (readonly [call: string, expected: object])[] = [
  ['phasor.__version__', { value: version }],
  ['phasor.attention(weights=w).arrays["weights"]["shape"]', { value: [2, 2, 3] }],
  [
    'phasor.attention(weights=(w[None], w[None] / 2), layer=1, tokens="a b", key_tokens=["c", "d", "e"])',
    {
      spec: { kind: 'custom', layers: 2, layer: 1, head: 0, tokens: ['a', 'b'], keyTokens: ['c', 'd', 'e'] },
      arrays: {
        weights: { shape: [4, 2, 3], data: [1, 0.5].flatMap((factor) => Array.from({ length: 12 }, (_, n) => (n / 16) * factor)) },
      },
    },
  ],
  ['phasor.attention(weights=np.stack([w[None]] * 3)).spec["layers"]', { value: 3 }],
  ['phasor.attention(weights=np.stack([w, w / 2]), batch=1)', { arrays: { weights: { shape: [2, 2, 3] } } }],
  ['phasor.attention(weights=w[0].astype(np.float16).T.tolist())', { arrays: { weights: { shape: [1, 3, 2] } } }],
  ['phasor.attention(weights=w.transpose(0, 2, 1))', { arrays: { weights: { shape: [2, 3, 2] } } }],
  ['phasor.attention(weights=Tensor(w))', { arrays: { weights: { shape: [2, 2, 3] } } }],
  ['phasor.attention(weights=(Tensor(w[None]), Tensor(w[None])), head=1)', { spec: { layers: 2, head: 1 } }],
  [
    'phasor.attention(w, w[:1], mask="causal", encoding={"id": "alibi", "slopes": [0.5, 0.25]})',
    {
      spec: { kind: 'custom', mask: 'causal', encoding: { id: 'alibi' } },
      arrays: { q: { shape: [2, 2, 3] }, k: { shape: [1, 2, 3] }, 'encoding.slopes': { shape: [2], data: [0.5, 0.25] } },
    },
  ],
  [
    'phasor.attention(weights=np.zeros((1, 1, 600)))',
    { spec: { span: 512 }, warnings: [expect.stringMatching(/^weights: 1 x 600 are more than the 512 x 512 cells/)] },
  ],
  ['phasor.attention(weights=np.zeros((1, 1, 600)), span=100)', { spec: { span: 100 }, warnings: [] }],
  [
    'phasor.figure("rotation", encoding="rope base=500000", dim=np.int64(8))',
    { spec: { kind: 'rotation', encoding: 'rope base=500000', dim: 8 } },
  ],
  [
    'phasor.figure("bias", encoding={"id": "t5", "table": Tensor(w[0])}, heads=None)',
    { spec: { kind: 'bias', encoding: { id: 't5' } }, arrays: { 'encoding.table': { shape: [2, 3] } } },
  ],
  ['phasor.config({"model_type": "gpt2"}, context=9)', { spec: { kind: 'layers', config: '{"model_type": "gpt2"}', context: 9 } }],
  ['phasor.config(type("C", (), {"to_dict": lambda self: {"a": np.float32}})()).spec["kind"]', { value: 'layers' }],
];

/** Rejected calls and their error messages. */
const REJECTED: readonly (readonly [call: string, sentence: RegExp])[] = [
  ['phasor.attention()', /^q: missing; expected the arrays q and k, or weights$/],
  ['phasor.attention(w)', /^k: missing; expected with q$/],
  ['phasor.attention(w, w, weights=w)', /^weights: cannot be combined with q and k/],
  ['phasor.attention(w, w[:, :, :2])', /^k: shape 2 x 2 x 2; expected the head_dim of q, 3$/],
  ['phasor.attention(w[:1], w)', /^k: has 2 heads, which do not divide the 1 heads of q$/],
  ['phasor.attention((w, w), (w, w, w))', /^k: 3 layers; expected 2, as q has$/],
  ['phasor.attention(weights=(None, None))', /^weights\[0\]: None; expected \[heads, queries, keys\] .*attn_implementation='eager'$/],
  ['phasor.attention(weights=((w, w), (w, w)))', /^weights\[0\]: a tuple of arrays; .* pass one step$/],
  ['phasor.attention(weights=(w, w[:1]))', /^weights\[1\]: shape 1 x 2 x 3 differs from 2 x 2 x 3 of weights\[0\]/],
  [
    'phasor.attention(weights=np.stack([w, w]))',
    /^weights: shape 2 x 2 x 2 x 3 has 2 texts; expected one: choose it by batch=0 to batch=1$/,
  ],
  ['phasor.attention(weights=w[None], batch=1)', /^batch: 1 is outside 0 to 0$/],
  ['phasor.attention(weights=w, batch=0)', /^batch: 0 has no effect on weights/],
  ['phasor.attention(weights=w * np.nan)', /^weights: nan at \[0, 0, 0\]; expected finite numbers/],
  ['phasor.attention(weights=w * 1e300)', /^weights: .* at \[0, 0, 1\]; expected finite numbers of float32$/],
  ['phasor.attention(weights=w + 1j)', /^weights: dtype complex128; expected real numbers$/],
  ['phasor.attention(weights=np.ma.masked_equal(w, 0))', /^weights: an array with masked entries/],
  ['phasor.attention(weights="text")', /^weights: dtype <U4; expected real numbers$/],
  ['phasor.attention(weights={})', /^weights: dtype object; expected real numbers$/],
  ['phasor.attention(weights=[[1, 2], [3]])', /^weights: a list cannot be read as numbers/],
  ['phasor.attention(weights=w[0, 0])', /^weights: shape 3; expected \[heads, queries, keys\]/],
  ['phasor.attention(weights=w[:, :0])', /^weights: shape 2 x 0 x 3 has no numbers/],
  [
    'phasor.attention(weights=np.broadcast_to(np.float32(0), (1, 4097, 4097)))',
    /^weights: 1 x 4097 x 4097 numbers are 64 MiB; expected at most 64/,
  ],
  ['phasor.attention(weights=(np.broadcast_to(w[:, :1, :1], (2, 2048, 2048)),) * 3)', /^weights: 3 x 2 x 2048 x 2048 numbers are 96 MiB/],
  ['phasor.attention(weights=w, mask="causal")', /^mask: has no effect on weights; applies only to q and k$/],
  ['phasor.attention(weights=w, tokens="a b c")', /^tokens: 3 words; expected 2, the number of queries$/],
  ['phasor.attention(weights=w, key_tokens=[1, 2, 3])', /^key_tokens: not all are text/],
  ['phasor.attention(weights=w, head=2)', /^head: 2; expected a whole number from 0 to 1$/],
  ['phasor.attention(weights=w, layer=True)', /^layer: True; expected a whole number from 0 to 0$/],
  ['phasor.attention(weights=w, layers=2)', /^layers: has no effect beside the arrays/],
  ['phasor.attention(weights=w, maks=1)', /^maks: is not a field of custom; expected q, k, weights, tokens, key_tokens, /],
  ['phasor.figure("strange")', /^kind: 'strange' is unknown; expected attention, attention-map, .*, waves$/],
  ['phasor.figure("rotation", encodng="rope")', /^encodng: is not a field of rotation; expected encoding, dim, /],
  ['phasor.figure("rotation", encoding=3)', /^encoding: 3; expected text such as 'rope base=500000', or a dict/],
  ['phasor.figure("rotation", dim=len)', /^dim: a builtin_function_or_method; expected text, a number, True or False, or a list/],
  [
    'phasor.figure("clocks", positionOffset=1, position_offset=2)',
    /^position_offset: is provided twice, as position_offset and as positionOffset/,
  ],
  [
    'phasor.config("no-such-file")',
    /^config: no file no-such-file \(No such file or directory\); expected the path of a config.json, a dict or model.config$/,
  ],
  ['phasor.config("LICENSE")', /^config: LICENSE is not JSON/],
  ['phasor.config([1])', /^config: \[1\]; expected a dict with entries/],
  ['phasor.config({"rope_theta": float("inf")})', /^config: cannot be written as JSON/],
];

it('builds one wheel of the package version that lists every file in RECORD and runs with NumPy alone', () => {
  try {
    expect(names).toEqual([`phasor-${version}-py3-none-any.whl`]);
    const { written, found, sources, importsTorch, answers } = answersOf([...SHOWN, ...REJECTED].map(([call]) => call));
    expect(written.toSorted()).toEqual(found.toSorted());
    expect(sources).toContain('phasor/__init__.py');
    expect(importsTorch).toBe(false);
    for (const [index, [call, expected]] of SHOWN.entries()) expect(answers[index], call).toMatchObject(expected);
    for (const [index, [call, sentence]] of REJECTED.entries()) expect(answers[SHOWN.length + index]?.error, call).toMatch(sentence);

    const metadata = readFileSync(join(folder, `phasor-${version}.dist-info/METADATA`), 'utf8');
    for (const line of ['Name: phasor', `Version: ${version}`, 'Requires-Dist: anywidget>=0.9', 'License-File: third-party.LICENSES.txt'])
      expect(metadata.split('\n')).toContain(line);
    expect(readFileSync(join(folder, 'phasor/anywidget.js')).equals(readFileSync('dist/npm-anywidget/anywidget.js'))).toBe(true);
    const data = JSON.parse(readFileSync(join(folder, 'phasor/kinds.json'), 'utf8'));
    expect(Object.keys(data.kinds)).toEqual(readdirSync('web/figure/kinds').toSorted());
    expect(data.kinds.custom).toMatchObject({ weights: 'array', encoding: 'encoding', tokens: 'value', head: 'value' });
    expect(readFileSync(join(folder, 'phasor/py.typed'), 'utf8')).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
