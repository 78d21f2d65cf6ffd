// `phasor doctor` on the command line: the packed package in an empty project with dump files.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Consumers } from '../consumer.ts';
import { applyRotation, generator } from '../web/doctor/random-dumps.ts';
import { bf16, bf16File, ggufFile, npyFile } from './dump-files.ts';

const consumers = new Consumers();
afterAll(() => consumers.remove());
const folder = consumers.project('doctor-user', {});
const path = (name: string) => join(folder, name);

function phasor(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(path('node_modules/.bin/phasor'), words, { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout.trim(), error: stderr.trim() };
}

const npy = (name: string, shape: readonly number[], data: Float32Array | Int32Array) => writeFileSync(path(name), npyFile(shape, data));

const [tokens, heads, dim] = [24, 2, 64];
const shape = [tokens, heads, dim] as const;
const random = generator(3);
const queries = new Float32Array(tokens * heads * dim).map(() => bf16(4 * random() - 2));
const rotateQueries = (layout: 'half_split' | 'interleaved', base = 10000, format: 'f32' | 'bf16' = 'f32') =>
  applyRotation(
    queries,
    {
      ...{ tokens, heads, dim, layout, base, width: dim, factor: 1, gain: 1, sign: 1 },
      positions: Array.from({ length: tokens }, (_, token) => token),
      frequencies: Array.from({ length: dim / 2 }, (_, t) => base ** ((-2 * t) / dim)),
    },
    format,
  );
const config = {
  ...{ model_type: 'llama', hidden_size: 256, num_hidden_layers: 4, num_attention_heads: 4, num_key_value_heads: 2 },
  ...{ head_dim: dim, rope_theta: 10000 },
};

npy('q.npy', shape, queries);
npy('q_rot.npy', shape, rotateQueries('interleaved'));
npy('right.npy', shape, rotateQueries('half_split'));
npy(
  'inv_freq.npy',
  [32],
  Float32Array.from({ length: 32 }, (_, t) => 20000 ** (-t / 32)),
);
writeFileSync(
  path('dump.safetensors'),
  bf16File({
    q: { shape, data: queries },
    q_rot: { shape, data: rotateQueries('half_split', 500000, 'bf16') },
    other: { shape: [1], data: Float32Array.of(1) },
  }),
);
writeFileSync(path('config.json'), JSON.stringify(config));

describe('phasor doctor', () => {
  it('reports a port with another pairing and its fix, and exits with 1', () => {
    const { code, out } = phasor('doctor', 'q.npy', 'q_rot.npy', '--config', 'config.json', '--layer', '3');
    expect(out).toMatch(/^wrong_pairing: The dump has interleaved pairs; claimed: half_split\. Residual /);
    expect(out).toContain('First difference: token 1, channel 0.\nFix: half_split: vLLM is_neox_style=True');
    expect(code).toBe(1);
  });

  it('exits with 0 for a dump as claimed, and prints the report as JSON', () => {
    const { code, out } = phasor('doctor', 'q.npy', 'right.npy', '--config', 'config.json', '--json');
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      verdict: 'as_claimed',
      noise: 'f32',
      inputs: { before: { file: 'q.npy', shape: [...shape], dtype: 'F32' } },
    });
    expect(report.inputs.after.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(report.map.claimed.values).toHaveLength(tokens * (dim / 2));
  });

  it('reads bfloat16 tensors of a safetensors file, with or without their names', () => {
    const claim = '{"id":"rope","layout":"half_split"}';
    const options = ['--axes', 'tokens,heads,dim', '--claim', claim];
    const whole = phasor('doctor', 'dump.safetensors', ...options);
    expect(whole.out).toMatch(/^wrong_base: Frequencies follow base 500000; claimed: 10000\./);
    expect(phasor('doctor', 'dump.safetensors#q', 'dump.safetensors#q_rot', ...options)).toEqual(whole);
    expect(JSON.parse(phasor('doctor', 'dump.safetensors', ...options, '--json').out).noise).toBe('bf16');
  });

  it('diagnoses two implementations, tables, position ids and GGUF files', () => {
    const comparison = phasor('doctor', 'right.npy', 'q_rot.npy', '--compare', '--config', 'config.json');
    expect(comparison).toMatchObject({ code: 1, out: expect.stringMatching(/^wrong_pairing: /) });
    expect(phasor('doctor', 'inv_freq.npy', '--config', 'config.json').out).toMatch(/^wrong_base: Frequencies follow base 20000/);
    npy('position_ids.npy', [1, 8], Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
    expect(phasor('doctor', 'position_ids.npy', '--past', '8')).toMatchObject({ code: 1, out: expect.stringMatching(/^cache_ignored: /) });
    const values = { 'general.architecture': 'llama', 'tokenizer.ggml.tokens': ['a', 'b'], 'llama.rope.freq_base': 500000 };
    writeFileSync(path('model.gguf'), ggufFile(values));
    const result = phasor('doctor', '--gguf', 'model.gguf', '--config', 'config.json');
    expect(result).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^wrong_base: Frequencies follow base 500000; claimed: 10000/),
    });
    writeFileSync(path('right.gguf'), ggufFile({ ...values, 'llama.rope.freq_base': 10000 }));
    expect(phasor('doctor', '--gguf', 'right.gguf', '--config', 'config.json').code).toBe(0);
  });

  it('exits with 2 if two implementations are compared without a claim', () => {
    const { code, out } = phasor('doctor', 'right.npy', 'q_rot.npy', '--compare', '--axes', 'tokens,heads,dim');
    expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(/^cannot_tell: Cannot tell: there is no claim/) });
  });
});

describe('invalid input', () => {
  it('is reported in one sentence that begins with its name, with exit code 3', () => {
    npy('whole.npy', shape, new Int32Array(queries.length));
    writeFileSync(path('cut.npy'), readFileSync(path('q.npy')).subarray(0, 5000));
    writeFileSync(path('cut.gguf'), Buffer.from('GGUF'));
    writeFileSync(path('cut.safetensors'), readFileSync(path('dump.safetensors')).subarray(0, 500));
    writeFileSync(path('list.json'), '[1]');
    const claim = ['--claim', '{"id":"rope"}'];
    const cases: [string[], RegExp][] = [
      [['q.npy', 'missing.npy'], /^missing\.npy: no such file$/],
      [['q.npy', 'cut.npy', ...claim], /^cut\.npy is truncated: 4872 of 12288 bytes$/],
      [['cut.safetensors'], /^cut\.safetensors: not a safetensors file \(/],
      [['dump.safetensors#nothing'], /^dump\.safetensors: there is no tensor nothing; expected one of q, q_rot, other$/],
      [['q.npy', 'whole.npy', ...claim], /^whole\.npy: after has dtype i4; expected F16, BF16, F32, F64$/],
      [['q.npy', 'right.npy', ...claim], /^axes: is missing; "tokens,heads,dim" and "heads,tokens,dim" both fit/],
      [['q.npy'], /^files: q cannot be diagnosed; expected two tensors/],
      [['q.npy', 'right.npy', '--config', 'list.json'], /^list\.json: not a config\.json; expected a JSON object$/],
      [['q.npy', 'right.npy', '--config', 'config.json', '--layer', '9'], /^layer.*9/i],
      [['q.npy', 'right.npy', '--config', 'config.json', ...claim], /^--claim: cannot be combined with --config/],
      [['q.npy', 'right.npy', '--axes', 'rows', ...claim], /^axes: "rows" is unknown; expected "tokens,heads,dim"/],
      [['q.npy', 'right.npy', '--claim', 'rope'], /^--claim: rope is not valid; expected a JSON object or list$/],
      [['q.npy', 'right.npy', '--heads', 'two'], /^--heads: "two" is not a whole number from 1$/],
      [['q.npy', 'right.npy', '--picture', 'out.png', ...claim], /^--picture: out\.png has an unknown file type; expected \.svg$/],
      [['--gguf', 'cut.gguf', '--config', 'config.json'], /^cut\.gguf ends inside its header, after 4 bytes$/],
      [['--gguf', 'q.npy', '--config', 'config.json'], /^q\.npy is not a readable GGUF file/],
      [['q.txt', 'r.txt'], /^q\.txt: no such file$/],
      [['--unknown'], /--unknown/],
      [[], /^files: no file was provided/],
    ];
    for (const [words, sentence] of cases) {
      const { code, out, error } = phasor('doctor', ...words);
      expect({ words, code, out, error }).toEqual({ words, code: 3, out: '', error: expect.stringMatching(sentence) });
    }
    expect(phasor('surgeon')).toMatchObject({ code: 3, error: 'surgeon: unknown command; expected doctor' });
  });
});

it('prints help of at most 30 lines, with examples', () => {
  const { code, out } = phasor('doctor', '--help');
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(92);
  expect(lines.filter((line) => line.startsWith('  npx phasor doctor '))).toHaveLength(3);
});

it('writes a picture of the report as SVG', () => {
  phasor('doctor', 'q.npy', 'q_rot.npy', '--config', 'config.json', '--picture', 'out.svg');
  expect(readFileSync(path('out.svg'), 'utf8')).toMatch(/^<svg [^>]*role="img"/);
});

/** A port that rotates half-split pairs if it is right, and interleaved pairs otherwise. */
const port = (isRight: boolean) => `export function rotate(x, positions, [tokens, heads, dim]) {
  const [y, n] = [x.slice(), dim / 2];
  for (let row = 0; row < tokens * heads; row++)
    for (let t = 0; t < n; t++) {
      const angle = positions[Math.floor(row / heads)] * 10000 ** (-t / n);
      const [a, b] = ${isRight ? '[t, t + n]' : '[2 * t, 2 * t + 1]'}.map((channel) => row * dim + channel);
      y[a] = x[a] * Math.cos(angle) - x[b] * Math.sin(angle);
      y[b] = x[b] * Math.cos(angle) + x[a] * Math.sin(angle);
    }
  return y;
}
`;

it('writes a test that fails before the fix, passes after it, and does not import phasor', () => {
  const words = ['doctor', 'q.npy', 'q_rot.npy', '--config', 'config.json'];
  const { out } = phasor(...words, '--write-test', 'rotation.test.mjs', '--port', './my-port.mjs:rotate');
  expect(out).toContain('Written: rotation.test.mjs, rotation.test-case.json');
  expect(statSync(path('rotation.test-case.json')).size).toBeLessThan(60_000);
  expect(readFileSync(path('rotation.test.mjs'), 'utf8')).not.toMatch(/from 'phasor/);
  for (const isRight of [false, true]) {
    writeFileSync(path('my-port.mjs'), port(isRight));
    const { status, stdout } = spawnSync('node', ['--test', 'rotation.test.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(status === 0, stdout).toBe(isRight);
  }
  phasor(...words, '--write-test', 'test_rotation.py');
  execFileSync('python3', ['-m', 'py_compile', 'test_rotation.py'], { cwd: folder });
  const header = ['doctor', '--gguf', 'model.gguf', '--config', 'config.json'];
  expect(phasor(...header, '--write-test', 'other.py')).toMatchObject({
    code: 3,
    error: expect.stringMatching(/^gguf: no test can be generated from a config and a GGUF file/),
  });
  expect(phasor(...header, '--picture', 'other.svg')).toMatchObject({
    code: 3,
    error: expect.stringMatching(/^--picture: no picture exists for this report: wrong_base/),
  });
});
