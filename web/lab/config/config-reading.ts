// What a pasted config.json says about positions: understood by the core, and fitted to the sentence of the Lab.

import { formatNumber } from '../../charts/number.ts';
import { PhasorError } from '../../engine/errors.ts';
import type { EncodingInfo, ModelEncoding, ModelEncodingRequest, Params, ParamValue, RemotePhasor } from '../../engine/index.ts';
import { type Config, configOf, headWidth, keyOf, TEXT_MODELS } from '../../figure/compute/rope-config.ts';
import { FieldError } from '../../figure/contract/fields.ts';
import { printedParam } from '../state/link-fields.ts';
import type { FigureFields, LabState } from '../state/state.ts';
import { CONFIG_WORDS as WORDS } from './config-strings.ts';

/** Longer than any published file. */
const MAX = 1_000_000;

export type Engine = Pick<RemotePhasor, 'modelEncoding' | 'layer' | 'encodings'>;
/** What the file leaves open, as the reader has answered. */
export type Answers = Pick<ModelEncodingRequest, 'stack' | 'layerType' | 'layerIdx'>;

export interface Question {
  readonly field: keyof Answers;
  /** Empty: a number. */
  readonly choices: readonly string[];
}

export interface ParsedConfig {
  readonly info: EncodingInfo;
  readonly found: ModelEncoding;
  /** The parameters that the sentence can have; undefined where it cannot have the encoding. */
  readonly params: Params | undefined;
  /** What the file says, or means, and the Lab does not show: clauses. */
  readonly beyond: readonly string[];
  readonly unused: readonly string[];
  /** Fields of single figures. */
  readonly figures: FigureFields;
}

export type Reading = { readonly problem: string } | { readonly asks: Question } | { readonly understood: ParsedConfig };

type Sizes = Pick<LabState, 'width' | 'heads'>;

/** '500000', '48 numbers'. */
export const formatParam = (value: ParamValue): string =>
  typeof value === 'object' ? (printedShort(value) ?? WORDS.array(value.data.length)) : String(value);
const printedShort = (value: ParamValue): string | undefined =>
  typeof value === 'object' && value.data.length > 4 ? undefined : printedParam(value)?.replaceAll(';', ' ');

/** Reads a text. Never rejects: what is wrong with it is a sentence. */
export async function readConfig(text: string, answers: Answers, engine: Engine, sizes: Sizes): Promise<Reading> {
  if (text.length > MAX) return { problem: WORDS.tooLong(text.length, MAX) };
  let config: Config | undefined;
  try {
    config = configOf(text, WORDS);
  } catch (thrown) {
    if (thrown instanceof FieldError) return { problem: thrown.message };
    throw thrown;
  }
  if (!config) return { problem: '' };
  try {
    return { understood: await understand(config, await engine.modelEncoding(config, answers), engine, sizes) };
  } catch (thrown) {
    const error = PhasorError.from(thrown);
    const asks = questionOf(error, answers);
    if (asks) return { asks };
    const isUnnamed = error.path === 'model_type' && config.model_type === undefined;
    return { problem: isUnnamed ? WORDS.noModel : WORDS.refused(error.message) };
  }
}

/** The core asks for what a file leaves open by the name of the option: what it refuses then has not been answered. */
function questionOf({ path = '', allowed }: PhasorError, answers: Answers): Question | undefined {
  if (!Object.hasOwn(WORDS.asks, path) || answers[path as keyof Answers] !== undefined) return undefined;
  return { field: path as keyof Answers, choices: allowed && 'length' in allowed ? allowed : [] };
}

async function understand(config: Config, found: ModelEncoding, engine: Engine, sizes: Sizes): Promise<ParsedConfig> {
  const { id, ...all } = found.encoding;
  const info = engine.encodings.find((one) => one.id === id) as EncodingInfo;
  const fitted = await fitting(id, all, engine, sizes);
  const isRotary = id === 'rope' || id === 'mrope';
  const isWhole = fitted.params !== undefined && fitted.left.length === 0;
  return {
    info,
    found,
    params: fitted.params,
    beyond: [...fitted.left, ...(isRotary && !isWhole ? [WORDS.inReach] : []), ...beyond(config, found)],
    unused: Object.keys(config).filter(
      (key) => ![found.because, found.defaults].some((keys) => Object.keys(keys).some((path) => path.split('.')[0] === key)),
    ),
    figures: isRotary ? reachFields(config, found, isWhole) : {},
  };
}

/** Leaves out, one by one, what the core says does not fit the sizes of the sentence. */
async function fitting(
  id: string,
  all: Params,
  engine: Engine,
  { width, heads }: Sizes,
): Promise<{ params: Params | undefined; left: string[] }> {
  const x = { shape: [2, width], data: new Float32Array(2 * width) };
  const left: string[] = [];
  let params = all;
  for (;;) {
    try {
      await engine.layer({ x, heads, encoding: { ...params, id } });
      return { params, left };
    } catch (thrown) {
      const { message, path: name = '' } = PhasorError.from(thrown);
      if (!Object.hasOwn(params, name)) return { params: undefined, left: [WORDS.notShown(message)] };
      left.push(WORDS.leftOut(name, message));
      const { [name]: _, ...rest } = params;
      params = rest;
    }
  }
}

/** Whether a key, of the model or its text model, is there to switch something off. */
const isOff = (config: Config, key: string): boolean =>
  [config, ...TEXT_MODELS.map((name) => config[name] as Config | null | undefined)].some((part) => part?.[key] === false);

function beyond(config: Config, { scale, positionIds }: ModelEncoding): string[] {
  const heads = ['num_attention_heads', 'n_head', 'n_heads', 'num_heads']
    .map((key) => keyOf(config, key))
    .find((count) => count !== undefined);
  const rotated = keyOf(config, 'qk_rope_head_dim');
  const others = keyOf(config, 'qk_nope_head_dim');
  // With latent attention a head has channels that rotate and others.
  const width = rotated === undefined ? headWidth(config)?.width : others && others + rotated;
  const window = isOff(config, 'use_sliding_window') ? undefined : keyOf(config, 'sliding_window');
  return [
    ...(heads ? [WORDS.sizes(heads, width, rotated)] : []),
    ...(scale === undefined ? [] : [WORDS.scale(formatNumber(scale))]),
    ...(positionIds?.mode ? [WORDS.padding(positionIds.mode)] : []),
    ...(window ? [WORDS.window('sliding_window', String(window))] : []),
  ];
}

/** The sizes of the model for the figure of longer contexts; the whole file where the sentence leaves something out. */
function reachFields(config: Config, { encoding }: ModelEncoding, isWhole: boolean): FigureFields {
  if (!isWhole) return { 'frequencies.config': JSON.stringify(config) };
  const width = headWidth(config)?.width;
  const longest = keyOf(config, 'max_position_embeddings');
  return {
    ...(width ? { 'frequencies.width': String(width) } : {}),
    ...(longest ? { 'frequencies.length': String(longest) } : {}),
    ...(longest && encoding.original_length === undefined ? { 'frequencies.trained': String(longest) } : {}),
  };
}

/** Whether an encoding is one of a decoder: BLOOM's and MPT's form of ALiBi is one of distance only under a causal mask. */
const isOfDecoder = ({ form, bidirectional }: Params): boolean => form === 'row_shifted' || form === 'mpt' || bidirectional === false;

/** The state of a Lab that shows it. */
export function configState({ info, params, figures, found }: ParsedConfig, state: LabState): Partial<LabState> {
  const others = Object.entries(state.figures).filter(([name]) => !/^frequencies\.(config|width|length|trained)$/.test(name));
  const isRotary = Object.keys(figures).length > 0 || info.id === 'rope';
  return {
    ...(params ? { encoding: info.id, params } : {}),
    ...(isOfDecoder(found.encoding) ? { mask: 'causal' } : {}),
    ...(found.offset === undefined ? {} : { offset: found.offset }),
    ...(isRotary ? { question: 'reach', view: 'frequencies' } : {}),
    figures: { ...Object.fromEntries(others), ...figures },
    tour: 0,
  };
}
