// Opens the files of a language model, including the tokenizer, in a worker.
import type { ModelHeaders } from '../../engine/create/opened-model.ts';
import { argumentError, PhasorError } from '../../engine/errors.ts';
import type { FileLike, InspectModelOptions, Model, ModelFiles, ModelInfo, OpenModelWorkerOptions } from '../../engine/types/api.ts';
import type { AsyncTokenizer } from '../../tokenizer/async-tokenizer.ts';
import type { TokenizerFiles } from '../../tokenizer/tokenizer-files.ts';
import type { LanguageModel } from '../contract/context.ts';
import type { OpenHooks } from './language-models.ts';

/** Functions that open a model's files with the page's WebAssembly file. */
export interface ModelFunctions {
  readHeaders(files: ModelFiles, options: Pick<InspectModelOptions, 'signal'>): Promise<ModelHeaders>;
  openModelWorker(files: ModelFiles, options?: OpenModelWorkerOptions): Promise<Model>;
  openTokenizer(files: TokenizerFiles): Promise<AsyncTokenizer>;
}

const STRINGS = {
  tooLarge: (name: string, bytes: number, maxBytes: number) =>
    `${name} needs ${formatBytes(bytes)} of memory, but this page can use ${formatBytes(maxBytes)}; expected a smaller model, or a GGUF file with fewer bits per weight`,
  noTokenizer: 'The files contain no tokenizer.json. Enter the text as token ids, separated by spaces.',
  unreadTokenizer: (reason: string) => `The tokenizer cannot be used (${reason}). Enter the text as token ids, separated by spaces.`,
} as const;

const GIGABYTE = 2 ** 30;
const formatBytes = (bytes: number): string =>
  bytes < GIGABYTE ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`;

/**
 * Maximum size of the weights. WebAssembly has 4 GB of memory, part of which is needed for reading and running a
 * model.
 */
const MAX_WEIGHT_BYTES = 3.75 * GIGABYTE;
/**
 * Assumed memory in GB of a phone whose browser does not report its memory. Such browsers terminate pages that use
 * about 1 GB.
 */
const PHONE_MEMORY_GB = 2;
const MIN_COMPUTER_MEMORY_GB = 8;

const isPhone = (): boolean => globalThis.matchMedia?.('(pointer: coarse) and (max-device-width: 500px)').matches ?? false;

/**
 * Returns the maximum size of the weights on this device, in bytes. A browser terminates a page that uses most of a
 * phone's memory.
 */
function computeMaxWeightBytes(): number {
  const { deviceMemory } = (globalThis.navigator ?? {}) as { readonly deviceMemory?: number };
  const memoryGb = deviceMemory ?? (isPhone() ? PHONE_MEMORY_GB : MIN_COMPUTER_MEMORY_GB);
  return memoryGb >= MIN_COMPUTER_MEMORY_GB ? MAX_WEIGHT_BYTES : (memoryGb / 2) * GIGABYTE;
}

/** Finds a checkpoint file by name. Names do not include folders, which are only in `webkitRelativePath`. */
const findFile = (files: readonly FileLike[], name: string): FileLike | undefined => files.find((file) => file.name === name);

const readText = async (file: FileLike): Promise<string> => new TextDecoder().decode(await file.slice(0, file.size).arrayBuffer());

/**
 * Finds the tokenizer's files: tokenizer.json, or else the vocabulary of a GGUF file. Returns undefined if there is
 * neither.
 */
function findTokenizerFiles(files: readonly FileLike[], metadata: ModelHeaders['metadata']): TokenizerFiles | undefined {
  const json = findFile(files, 'tokenizer.json');
  if (json) return { json, config: findFile(files, 'tokenizer_config.json') };
  const ggufFile = files.find(({ name }) => name.endsWith('.gguf'));
  return metadata && ggufFile && 'tokenizer.ggml.model' in metadata ? { gguf: ggufFile, metadata } : undefined;
}

/** Config keys that may contain the maximum number of positions. */
const LENGTH_KEYS = ['max_position_embeddings', 'n_positions', 'seq_length', 'max_seq_len'];

function readContextLength(config: string | undefined, metadata: ModelHeaders['metadata']): number | undefined {
  const json = config === undefined ? undefined : (JSON.parse(config) as { readonly [key: string]: unknown });
  const configs = json ? [json, (json.text_config ?? {}) as typeof json] : [];
  const lengths = [
    ...configs.flatMap((configPart) => LENGTH_KEYS.map((key) => configPart[key])),
    metadata?.[`${metadata['general.architecture']}.context_length`],
  ];
  return lengths.map(Number).find((value) => Number.isSafeInteger(value) && value > 0);
}

/** Returns the displayed name of the model: the name of its folder or GGUF file, or its type. */
function findModelName(files: readonly FileLike[], { modelType }: ModelInfo, isGguf: boolean): string {
  const weights = files.find(({ name }) => (isGguf ? /\.gguf$/ : /\.safetensors$/).test(name));
  const { webkitRelativePath = '' } = (weights ?? {}) as { readonly webkitRelativePath?: string };
  const [folder = ''] = webkitRelativePath.split('/');
  return folder || (isGguf ? (weights?.name ?? '').replace(/\.gguf$/, '') : '') || modelType;
}

/** @param shippedName the name of a shipped model; a user's model is named after its files */
export const createLanguageModelOpener = ({ readHeaders, openModelWorker, openTokenizer }: ModelFunctions) =>
  async function openLanguageModel(
    files: readonly FileLike[],
    { approve, onProgress, signal }: OpenHooks,
    shippedName?: string,
  ): Promise<Omit<LanguageModel, 'key'>> {
    const { info, fileBytes, metadata } = await readHeaders(files, { signal });
    const name = shippedName ?? findModelName(files, info, metadata !== undefined);
    const maxBytes = computeMaxWeightBytes();
    if (info.bytes > maxBytes) throw argumentError('files', STRINGS.tooLarge(name, info.bytes, maxBytes), { code: 'resource_exhausted' });
    await approve?.({ name, info, fileBytes });
    const configFile = metadata ? undefined : findFile(files, 'config.json');
    const config = configFile && (await readText(configFile));
    const contextLength = readContextLength(config, metadata);

    /** Loads the tokenizer. If that is impossible, returns the reason as a sentence. */
    const loadTokenizer = async (): Promise<Pick<LanguageModel, 'tokenizer' | 'tokenizerProblem'>> => {
      const source = findTokenizerFiles(files, metadata);
      if (!source) return { tokenizerProblem: STRINGS.noTokenizer };
      try {
        return { tokenizer: await openTokenizer(source) };
      } catch (thrown) {
        return { tokenizerProblem: STRINGS.unreadTokenizer(PhasorError.from(thrown).message) };
      }
    };
    const pendingTokenizer = loadTokenizer();
    try {
      const model = await openModelWorker(files, { onProgress, signal });
      const openedTokenizer = await pendingTokenizer;
      const dispose = (): void => {
        model.dispose();
        openedTokenizer.tokenizer?.dispose();
      };
      return { name, isShipped: shippedName !== undefined, model, ...openedTokenizer, config, metadata, contextLength, dispose };
    } catch (thrown) {
      void pendingTokenizer.then(({ tokenizer }) => tokenizer?.dispose());
      throw thrown;
    }
  };
