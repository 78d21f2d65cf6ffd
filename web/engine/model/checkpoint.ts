// Selects the files of one model from the files that the caller provides.

import { argumentError, PhasorError } from '../errors.ts';
import { invalidValueError } from '../request/invalid-value.ts';
import { getTag, inspect } from '../request/plain.ts';
import type { FileLike, ModelConfig, ModelFiles, ReadableFile } from '../types/api.ts';

export interface Checkpoint {
  /** The text of config.json; undefined for a GGUF file, which contains its own config. */
  readonly config: string | undefined;
  readonly weights: readonly ReadableFile[];
}

export interface OpenedFolder {
  readonly files: readonly ReadableFile[];
  close(): Promise<void>;
}

/** Opens a folder or a single file, given its path or file URL. Only Node provides this function. */
export type OpenFolder = (path: string | URL) => Promise<OpenedFolder>;

const INDEX_FILE = 'model.safetensors.index.json';
const EXPECTED_FILES = 'expected config.json and model.safetensors, or one .gguf file';
/** Unsupported file formats, each with its error message. */
const UNSUPPORTED_FORMATS: readonly [ending: RegExp, advice: string][] = [
  [
    /\.(bin|pt|pth|ckpt|pkl|pickle)$/i,
    'a pickle can run code when loaded; expected .safetensors (in transformers: model.save_pretrained(folder))',
  ],
  [/\.onnx(_data)?$/i, 'an ONNX graph does not name its layers; expected model.safetensors of the same model'],
  [
    /\.(h5|msgpack|tflite|mlmodel)$/i,
    'this format is not supported; expected .safetensors (in transformers: model.save_pretrained(folder))',
  ],
];

/** Validates a file from the caller, and returns it with a method that reads byte ranges. */
function toReadableFile(file: unknown, path: string): ReadableFile {
  const fields = (typeof file === 'object' && file !== null ? file : {}) as Partial<FileLike & ReadableFile>;
  const { name, size } = fields;
  if (typeof fields.read !== 'function' && typeof fields.slice !== 'function')
    throw invalidValueError(path, file, 'is not a File or an object with name, size and read(begin, end)');
  if (typeof name !== 'string' || name === '') throw argumentError(path, 'has no name; expected a file name');
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw argumentError(`${path}.size`, `${inspect(size)} is not a number of bytes; expected a whole number from 0`);
  const read = async (begin: number, end: number) =>
    typeof fields.read === 'function' ? fields.read(begin, end) : new Uint8Array(await (file as FileLike).slice(begin, end).arrayBuffer());
  return { name, size, read };
}

/** Reads exactly the bytes [begin, end) of a file. */
export async function readBytes(file: ReadableFile, begin: number, end: number): Promise<Uint8Array> {
  const { name } = file;
  const bytes: unknown = await file.read(begin, end).catch((thrown: unknown) => {
    if (thrown instanceof PhasorError) throw thrown;
    throw argumentError(name, `can no longer be read (${PhasorError.from(thrown).message})`, { code: 'not_found' });
  });
  if (getTag(bytes) !== '[object Uint8Array]') throw invalidValueError(`${name}: read`, bytes, 'is not a Uint8Array');
  const { length } = bytes as Uint8Array;
  if (length !== end - begin)
    throw argumentError(name, `read ${length} bytes from offset ${begin}; expected ${end - begin}`, { code: 'truncated' });
  return bytes as Uint8Array;
}

/** Maximum size of config.json and of model.safetensors.index.json. */
const MAX_JSON_BYTES = 64 * 2 ** 20;

async function readText(file: ReadableFile): Promise<string> {
  if (file.size > MAX_JSON_BYTES) throw argumentError(file.name, `has ${file.size} bytes; expected a JSON file of at most 64 MiB`);
  return new TextDecoder().decode(await readBytes(file, 0, file.size));
}

async function listIndexedFiles(index: ReadableFile, filesByName: ReadonlyMap<string, ReadableFile>): Promise<readonly ReadableFile[]> {
  let weightMap: unknown;
  try {
    weightMap = (JSON.parse(await readText(index)) as { weight_map?: unknown } | null)?.weight_map;
  } catch (thrown) {
    if (thrown instanceof PhasorError) throw thrown;
    throw argumentError(INDEX_FILE, `is not JSON (${PhasorError.from(thrown).message})`);
  }
  const names = typeof weightMap === 'object' && weightMap !== null ? [...new Set(Object.values(weightMap))].map(String).sort() : [];
  if (names.length === 0) throw argumentError(INDEX_FILE, 'has no weight_map; expected one that maps each tensor to its file');
  return names.map((name) => {
    const file = filesByName.get(name);
    if (!file) throw argumentError('files', `${name} is missing, although ${INDEX_FILE} lists it`, { code: 'not_found' });
    return file;
  });
}

async function selectWeightFiles(files: readonly ReadableFile[], ending: '.safetensors' | '.gguf'): Promise<readonly ReadableFile[]> {
  const filesByName = new Map(files.map((file) => [file.name, file]));
  const weights = files.filter(({ name }) => name.endsWith(ending));
  // An unsharded file takes precedence over shards, as in transformers.
  const completeFile =
    filesByName.get('model.safetensors') ?? (weights.length === 1 && !filesByName.has(INDEX_FILE) ? weights[0] : undefined);
  const index = filesByName.get(INDEX_FILE);
  if (completeFile) return [completeFile];
  if (index) return listIndexedFiles(index, filesByName);
  if (weights.length > 1) {
    const [one, other] = weights.map(({ name }) => name);
    const expectedFiles = ending === '.gguf' ? 'one of them' : `the files of one model, or ${INDEX_FILE} and the files it lists`;
    throw argumentError('files', `${one} and ${other} may belong to different models; expected ${expectedFiles}`);
  }
  for (const { name } of files) {
    const [, advice] = UNSUPPORTED_FORMATS.find(([ending]) => ending.test(name)) ?? [];
    if (advice) throw argumentError(name, advice);
  }
  throw argumentError('files', `model.safetensors is missing; ${EXPECTED_FILES}`, { code: 'not_found' });
}

function serializeConfig(config: ModelConfig): string {
  if (typeof config === 'string') return config;
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw invalidValueError('config', config, 'is neither the text of config.json nor an object');
  try {
    return JSON.stringify(config);
  } catch (thrown) {
    throw argumentError('config', `cannot be written as JSON (${PhasorError.from(thrown).message})`);
  }
}

async function selectCheckpoint(providedFiles: readonly unknown[], config: ModelConfig | undefined): Promise<Checkpoint> {
  const files = providedFiles.map((file, at) => toReadableFile(file, `files[${at}]`));
  const duplicateFile = files.find(({ name }, at) => files.findIndex((other) => other.name === name) < at);
  if (duplicateFile) throw argumentError('files', `two files are named ${duplicateFile.name}; expected the files of one model`);
  const isGguf = !files.some(({ name }) => name.endsWith('.safetensors')) && files.some(({ name }) => name.endsWith('.gguf'));
  const weights = await selectWeightFiles(files, isGguf ? '.gguf' : '.safetensors');
  if (isGguf && config !== undefined && config !== null)
    throw argumentError('config', 'a GGUF file contains its own config; expected safetensors files with the option config');
  if (isGguf) return { config: undefined, weights };
  if (config !== undefined && config !== null) return { config: serializeConfig(config), weights };
  const file = files.find(({ name }) => name === 'config.json');
  if (!file)
    throw argumentError('config', 'config.json is missing from the files; expected that file or the option config', { code: 'not_found' });
  return { config: await readText(file), weights };
}

/** Calls `use` with the files of one model. If `files` is a path, the folder is opened first and closed afterwards. */
export async function withCheckpoint<T>(
  files: ModelFiles,
  config: ModelConfig | undefined,
  openFolder: OpenFolder | undefined,
  use: (checkpoint: Checkpoint) => Promise<T>,
): Promise<T> {
  if (Array.isArray(files)) return use(await selectCheckpoint(files as readonly unknown[], config));
  const isPath = typeof files === 'string' || getTag(files) === '[object URL]';
  if (!isPath) throw invalidValueError('files', files, `is not a list of files${openFolder ? ' or a path' : ''}`);
  if (!openFolder) throw invalidValueError('files', files, 'is a path, which only Node can read; expected a list of File objects');
  const folder = await openFolder(files as string | URL);
  try {
    return await use(await selectCheckpoint(folder.files, config));
  } finally {
    await folder.close();
  }
}
