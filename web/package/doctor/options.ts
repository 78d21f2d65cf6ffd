import { parseArgs } from 'node:util';

const STRING_OPTION = { type: 'string' } as const;
const FLAG_OPTION = { type: 'boolean' } as const;
const OPTIONS = {
  config: STRING_OPTION,
  layer: STRING_OPTION,
  claim: STRING_OPTION,
  axes: STRING_OPTION,
  heads: STRING_OPTION,
  dim: STRING_OPTION,
  item: STRING_OPTION,
  positions: STRING_OPTION,
  past: STRING_OPTION,
  start: STRING_OPTION,
  parts: STRING_OPTION,
  gguf: STRING_OPTION,
  compare: FLAG_OPTION,
  json: FLAG_OPTION,
  picture: STRING_OPTION,
  'write-test': STRING_OPTION,
  port: STRING_OPTION,
  help: { type: 'boolean', short: 'h' },
} as const;

export interface DoctorOptions {
  readonly files: readonly string[];
  readonly config?: string | undefined;
  readonly layer?: number | undefined;
  readonly claim?: object | undefined;
  readonly axes?: string | undefined;
  readonly heads?: number | undefined;
  readonly dim?: number | undefined;
  readonly item?: number | undefined;
  readonly positions?: string | undefined;
  readonly past?: number | undefined;
  readonly start?: number | undefined;
  readonly parts?: object | undefined;
  readonly gguf?: string | undefined;
  readonly compare: boolean;
  readonly json: boolean;
  readonly picture?: string | undefined;
  readonly writeTest?: string | undefined;
  readonly port?: string | undefined;
  readonly help: boolean;
}

function parseWholeNumber(name: string, text: string | undefined, minimum: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < minimum)
    throw new Error(`--${name}: ${JSON.stringify(text)} is not a whole number from ${minimum}`);
  return Number(text);
}

function parseJson(name: string, text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null)
    throw new Error(`--${name}: ${text.slice(0, 60)} is not valid; expected a JSON object or list`);
  return value;
}

/** Parses the options. If an option is invalid, throws an Error that contains its name. */
export function readOptions(args: readonly string[]): DoctorOptions {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const checkEnding = (name: string, file: string | undefined, endings: readonly string[]) => {
    if (file !== undefined && !endings.some((ending) => file.endsWith(ending)))
      throw new Error(`--${name}: ${file} has an unknown file type; expected ${endings.join(' or ')}`);
    return file;
  };
  const port = values.port;
  if (port !== undefined && !/^[^:]+:[A-Za-z_]\w*$/.test(port))
    throw new Error(`--port: ${port} does not name a function; expected MODULE:FUNCTION`);
  if (values.claim !== undefined && values.config !== undefined)
    throw new Error('--claim: cannot be combined with --config; expected one of the two');
  return {
    files: positionals,
    config: values.config,
    layer: parseWholeNumber('layer', values.layer, 0),
    claim: parseJson('claim', values.claim),
    axes: values.axes,
    heads: parseWholeNumber('heads', values.heads, 1),
    dim: parseWholeNumber('dim', values.dim, 1),
    item: parseWholeNumber('item', values.item, 0),
    positions: values.positions,
    past: parseWholeNumber('past', values.past, 0),
    start: parseWholeNumber('start', values.start, 0),
    parts: parseJson('parts', values.parts),
    gguf: values.gguf,
    compare: values.compare ?? false,
    json: values.json ?? false,
    picture: checkEnding('picture', values.picture, ['.svg']),
    writeTest: checkEnding('write-test', values['write-test'], ['.py', '.mjs']),
    port,
    help: values.help ?? false,
  };
}

export const HELP = `phasor doctor: finds positional errors in a port from the tensors it computes.

  npx phasor doctor q.npy q_rot.npy --config config.json --layer 3
  npx phasor doctor reference.npy ours.npy --compare --claim '{"id":"rope","base":500000}'
  npx phasor doctor --gguf model.gguf --config config.json

Files: .npy, or .safetensors with float32, float16 or bfloat16. The name identifies a
tensor (for .npy, the file name); FILE#NAME selects one tensor of a file. Two tensors
with other names are before and after the rotation.
  before after, q q_rot, k k_rot             queries or keys around the rotation
  reference ours, or --compare               outputs of two implementations, after it
  inv_freq; cos sin; cos_sin_cache           tables
  products (or q k), scores or weights, sinks
  position_ids, mask, segments               with --past N, --start N, --parts JSON
Claim: the encoding that the port should compute.
  --config FILE   a config.json; with --layer N, from 0
  --claim JSON    an encoding with its parameters
Axes: --axes tokens,heads,dim or heads,tokens,dim; --heads N; --item N of a batch;
  --dim N, channels per head; --positions FILE, one per token (default 0, 1, 2 ...)
Output: --json; --picture FILE.svg; --write-test FILE.py or FILE.mjs, a test of the
  function --port MODULE:FUNCTION that fails until the port is correct
Exit: 0 as claimed, 1 a fault, 2 undecided or not explained, 3 a file cannot be read.
The files are not modified. Faults and hooks: docs/doctor.md of the project.
`;
