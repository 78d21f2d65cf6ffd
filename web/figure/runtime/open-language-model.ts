// Opens the files of a language model in a worker, with the tokenizer that is among them.
import { PhasorError, refusal } from '../../engine/errors.ts';
import type { FileLike, InspectModelOptions, Model, ModelFiles, ModelInfo, OpenModelWorkerOptions } from '../../engine/types/api.ts';
import { tokenizerFromGguf } from '../../tokenizer/gguf/gguf-tokenizer.ts';
import { createTokenizer, type TextTokenizer } from '../../tokenizer/tokenizer.ts';
import type { LanguageModel } from '../contract/context.ts';
import type { OpenHooks } from './language-models.ts';

/** The functions of phasor/model, with the WebAssembly of a page. */
export interface ModelFunctions {
  inspectModel(files: ModelFiles, options?: InspectModelOptions): Promise<ModelInfo>;
  openModelWorker(files: ModelFiles, options?: OpenModelWorkerOptions): Promise<Model>;
  readGgufMetadata(files: ModelFiles): Promise<ReadonlyMap<string, unknown>>;
}

const STRINGS = {
  tooLarge: (bytes: number, room: number) =>
    `the model needs ${inBytes(bytes)} of memory, and this page can use ${inBytes(room)}; expected a smaller model, or a GGUF file with fewer bits a weight`,
  noTokenizer: 'There is no tokenizer.json among the files: the text is token ids, as numbers with spaces between them.',
  unreadTokenizer: (why: string) => `The tokenizer cannot be used (${why}): the text is token ids, as numbers with spaces between them.`,
  noJson: (name: string, why: string) => `${name}: it is no JSON (${why})`,
} as const;

const GIGABYTE = 2 ** 30;
const inBytes = (bytes: number): string => (bytes < GIGABYTE ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`);

/** The memory of WebAssembly, less than what reading a model and a run of it need besides its weights. */
const MOST = 3.75 * GIGABYTE;

/** Bytes that weights may take in this page: a browser ends a page that takes most of a phone's memory. */
function roomOfPage(): number {
  const { deviceMemory } = (globalThis.navigator ?? {}) as { readonly deviceMemory?: number };
  return Math.min(MOST, deviceMemory === undefined || deviceMemory >= 8 ? MOST : (deviceMemory / 2) * GIGABYTE);
}

/** As checkpoints name them: a file of a folder has its path in `webkitRelativePath`. */
const named = (files: readonly FileLike[], name: string): FileLike | undefined => files.find((file) => file.name === name);
const isGguf = (files: readonly FileLike[]): boolean =>
  !files.some(({ name }) => name.endsWith('.safetensors')) && files.some(({ name }) => name.endsWith('.gguf'));

const textOf = async (file: FileLike): Promise<string> => new TextDecoder().decode(await file.slice(0, file.size).arrayBuffer());

async function jsonOf(file: FileLike): Promise<unknown> {
  try {
    return JSON.parse(await textOf(file));
  } catch (thrown) {
    throw refusal('tokenizer', STRINGS.noJson(file.name, PhasorError.from(thrown).message));
  }
}

/** The tokenizer among the files, or the sentence why there is none. */
async function tokenizerOf(
  files: readonly FileLike[],
  metadata: ReadonlyMap<string, unknown> | undefined,
): Promise<{ readonly tokenizer: TextTokenizer } | { readonly tokenizerProblem: string }> {
  const file = named(files, 'tokenizer.json');
  const config = named(files, 'tokenizer_config.json');
  try {
    if (file) return { tokenizer: createTokenizer(await jsonOf(file), config ? ((await jsonOf(config)) as object) : {}) };
    if (metadata?.has('tokenizer.ggml.model')) return { tokenizer: createTokenizer(tokenizerFromGguf(metadata)) };
    return { tokenizerProblem: STRINGS.noTokenizer };
  } catch (thrown) {
    return { tokenizerProblem: STRINGS.unreadTokenizer(PhasorError.from(thrown).message) };
  }
}

/** Where a config states the number of positions. */
const LENGTH_KEYS = ['max_position_embeddings', 'n_positions', 'seq_length', 'max_seq_len'];

function contextLengthOf(config: string | undefined, metadata: ReadonlyMap<string, unknown> | undefined): number | undefined {
  const json = config === undefined ? undefined : (JSON.parse(config) as { readonly [key: string]: unknown });
  const parts = json ? [json, (json.text_config ?? {}) as typeof json] : [];
  const values = [
    ...parts.flatMap((part) => LENGTH_KEYS.map((key) => part[key])),
    metadata?.get(`${metadata.get('general.architecture')}.context_length`),
  ];
  return values.map(Number).find((value) => Number.isSafeInteger(value) && value > 0);
}

/** What the reader calls it: its folder, its GGUF file, or its type. */
function nameOf(files: readonly FileLike[], { modelType }: ModelInfo): string {
  const weights = files.find(({ name }) => /\.(safetensors|gguf)$/.test(name));
  const { webkitRelativePath = '' } = (weights ?? {}) as { readonly webkitRelativePath?: string };
  const [folder = ''] = webkitRelativePath.split('/');
  return folder || (isGguf(files) ? (weights?.name ?? '').replace(/\.gguf$/, '') : '') || modelType;
}

/** @param name of a model that ships; the reader's has that of its files */
export const languageModelOpener = ({ inspectModel, openModelWorker, readGgufMetadata }: ModelFunctions) =>
  async function openLanguageModel(
    files: readonly FileLike[],
    { onProgress, signal }: OpenHooks,
    name?: string,
  ): Promise<Omit<LanguageModel, 'key'>> {
    const info = await inspectModel(files, { signal });
    const room = roomOfPage();
    if (info.bytes > room) throw refusal('files', STRINGS.tooLarge(info.bytes, room), { code: 'resource_exhausted' });
    const metadata = isGguf(files) ? await readGgufMetadata(files) : undefined;
    const file = metadata ? undefined : named(files, 'config.json');
    const config = file && (await textOf(file));
    const tokenizer = await tokenizerOf(files, metadata);
    const contextLength = contextLengthOf(config, metadata);
    const model = await openModelWorker(files, { onProgress, signal });
    return { name: name ?? nameOf(files, info), isShipped: name !== undefined, model, ...tokenizer, config, contextLength };
  };
