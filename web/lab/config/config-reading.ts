// Reads the position encoding from a pasted config.json, and adapts its parameters to the sentence.

import { formatNumber } from '../../charts/number.ts';
import { PhasorError } from '../../engine/errors.ts';
import type { ConfigEncoding, ConfigOptions, EncodingInfo, Params, ParamValue, RemotePhasor } from '../../engine/index.ts';
import { type Config, findHeadWidth, parseConfig, readPositiveInteger, TEXT_CONFIG_KEYS } from '../../figure/compute/rope-config.ts';
import { encodingSpec, FieldError } from '../../figure/contract/fields.ts';
import { printParam } from '../state/link-fields.ts';
import type { FigureFields, LabState } from '../state/state.ts';
import { CONFIG_STRINGS as STRINGS } from './config-strings.ts';

/** Maximum length of the text in characters. Published config files are much shorter. */
const MAX_TEXT_LENGTH = 1_000_000;

export type ConfigEngine = Pick<RemotePhasor, 'encodingFromConfig' | 'selfAttention' | 'encodings'>;
/** The user's choices for options that the file does not specify. */
export type ConfigChoices = Pick<ConfigOptions, 'stack' | 'layerType' | 'layerIdx'>;

export interface ConfigQuestion {
  readonly field: keyof ConfigChoices;
  /** The accepted values; empty if the value is a number. */
  readonly choices: readonly string[];
}

export interface ParsedConfig {
  readonly info: EncodingInfo;
  readonly configEncoding: ConfigEncoding;
  /** Parameters for showing the encoding on the sentence; undefined if the sentence does not support it. */
  readonly params: Params | undefined;
  /** Descriptions of properties in the file that the Lab does not show. */
  readonly unshownProperties: readonly string[];
  readonly unusedKeys: readonly string[];
  readonly figures: FigureFields;
}

export type ConfigReading =
  | { readonly problem: string }
  | { readonly openQuestion: ConfigQuestion }
  | { readonly parsedConfig: ParsedConfig };

type SentenceSizes = Pick<LabState, 'dim' | 'heads'>;

/** Formats a parameter value: '500000', or '48 numbers' for a tensor that is too long to print. */
export const formatParam = (value: ParamValue): string =>
  typeof value === 'object' ? (printIfShort(value) ?? STRINGS.numberCount(value.data.length)) : String(value);
const printIfShort = (value: ParamValue): string | undefined =>
  typeof value === 'object' && value.data.length > 4 ? undefined : printParam(value)?.replaceAll(';', ' ');

/** Parses the text of a config.json. Never rejects: problems are returned as messages. */
export async function readConfig(text: string, choices: ConfigChoices, engine: ConfigEngine, sizes: SentenceSizes): Promise<ConfigReading> {
  if (text.length > MAX_TEXT_LENGTH) return { problem: STRINGS.tooLong(text.length, MAX_TEXT_LENGTH) };
  let config: Config | undefined;
  try {
    config = parseConfig(text, STRINGS);
  } catch (thrown) {
    if (thrown instanceof FieldError) return { problem: thrown.message };
    throw thrown;
  }
  if (!config) return { problem: '' };
  try {
    return { parsedConfig: await resolvePositions(config, await engine.encodingFromConfig(config, choices), engine, sizes) };
  } catch (thrown) {
    const error = PhasorError.from(thrown);
    const openQuestion = findOpenQuestion(error, choices);
    if (openQuestion) return { openQuestion };
    const isModelTypeMissing = error.argument === 'model_type' && config.model_type === undefined;
    return { problem: isModelTypeMissing ? STRINGS.missingModelType : STRINGS.rejected(error.message) };
  }
}

/** Returns the question about an option that the core requires and the user has not chosen yet. The core's error names the option. */
function findOpenQuestion({ argument = '', allowed }: PhasorError, choices: ConfigChoices): ConfigQuestion | undefined {
  if (!Object.hasOwn(STRINGS.choicePrompts, argument) || choices[argument as keyof ConfigChoices] !== undefined) return undefined;
  return { field: argument as keyof ConfigChoices, choices: allowed && 'length' in allowed ? allowed : [] };
}

async function resolvePositions(
  config: Config,
  configEncoding: ConfigEncoding,
  engine: ConfigEngine,
  sizes: SentenceSizes,
): Promise<ParsedConfig> {
  const { id, ...allParams } = configEncoding.encoding;
  const encodingInfo = engine.encodings.find((encoding) => encoding.id === id) as EncodingInfo;
  const fittedParams = await fitParams(id, allParams, engine, sizes);
  const isRotary = id === 'rope' || id === 'mrope';
  const isComplete = fittedParams.params !== undefined && fittedParams.problems.length === 0;
  return {
    info: encodingInfo,
    configEncoding,
    params: fittedParams.params,
    unshownProperties: [
      ...fittedParams.problems,
      ...(isRotary && !isComplete ? [STRINGS.longerContextHint] : []),
      ...listUnshownProperties(config, configEncoding),
    ],
    unusedKeys: Object.keys(config).filter(
      (key) =>
        ![configEncoding.sourceKeys, configEncoding.defaults].some((keys) => Object.keys(keys).some((path) => path.split('.')[0] === key)),
    ),
    figures: isRotary ? toFrequencyFields(config, configEncoding, isComplete) : {},
  };
}

/** Removes, one by one, the parameters that the core rejects for the width and heads of the sentence. */
export async function fitParams(
  id: string,
  allParams: Params,
  engine: ConfigEngine,
  { dim, heads }: SentenceSizes,
): Promise<{ params: Params | undefined; problems: string[] }> {
  const x = { shape: [2, dim], data: new Float32Array(2 * dim) };
  const problems: string[] = [];
  let params = allParams;
  for (;;) {
    try {
      await engine.selfAttention({ x, heads, encoding: encodingSpec(id, params) });
      return { params, problems };
    } catch (thrown) {
      const { message, argument: name = '' } = PhasorError.from(thrown);
      if (!Object.hasOwn(params, name)) return { params: undefined, problems: [STRINGS.unsupportedEncoding(message)] };
      problems.push(STRINGS.unsupportedParam(name, message));
      const { [name]: _, ...others } = params;
      params = others;
    }
  }
}

/** Whether a key is false in the config or in its nested text config. */
const isKeyFalse = (config: Config, key: string): boolean =>
  [config, ...TEXT_CONFIG_KEYS.map((name) => config[name] as Config | null | undefined)].some((configPart) => configPart?.[key] === false);

function listUnshownProperties(config: Config, { scale, positionIds }: ConfigEncoding): string[] {
  const headCount = ['num_attention_heads', 'n_head', 'n_heads', 'num_heads']
    .map((key) => readPositiveInteger(config, key))
    .find((count) => count !== undefined);
  const rotatedChannelCount = readPositiveInteger(config, 'qk_rope_head_dim');
  const otherChannelCount = readPositiveInteger(config, 'qk_nope_head_dim');
  // With latent attention, a head has both rotated and unrotated channels.
  const width =
    rotatedChannelCount === undefined ? findHeadWidth(config)?.width : otherChannelCount && otherChannelCount + rotatedChannelCount;
  const slidingWindow = isKeyFalse(config, 'use_sliding_window') ? undefined : readPositiveInteger(config, 'sliding_window');
  return [
    ...(headCount ? [STRINGS.headSizes(headCount, width, rotatedChannelCount)] : []),
    ...(scale === undefined ? [] : [STRINGS.scoreScale(formatNumber(scale))]),
    ...(positionIds?.mode ? [STRINGS.paddingConvention(positionIds.mode)] : []),
    ...(slidingWindow ? [STRINGS.slidingWindow('sliding_window', String(slidingWindow))] : []),
  ];
}

/** Returns the fields of the figure `frequencies`: the model's dimensions, or the whole config if the sentence supports only part of it. */
function toFrequencyFields(config: Config, { encoding }: ConfigEncoding, isComplete: boolean): FigureFields {
  if (!isComplete) return { 'frequencies.config': JSON.stringify(config) };
  const width = findHeadWidth(config)?.width;
  const contextLength = readPositiveInteger(config, 'max_position_embeddings');
  return {
    ...(width ? { 'frequencies.dim': String(width) } : {}),
    ...(contextLength ? { 'frequencies.length': String(contextLength) } : {}),
    ...(contextLength && encoding.original_length === undefined ? { 'frequencies.trained': String(contextLength) } : {}),
  };
}

/** Whether an encoding needs a causal mask. Without one, the biases of BLOOM and MPT depend on absolute positions. */
const needsCausalMask = ({ form, bidirectional }: Params): boolean => form === 'row_shifted' || form === 'mpt' || bidirectional === false;

export function stateFromConfig({ info, params, figures, configEncoding }: ParsedConfig, state: LabState): Partial<LabState> {
  const otherFigureFields = Object.entries(state.figures).filter(([name]) => !/^frequencies\.(config|dim|length|trained)$/.test(name));
  const isRotary = Object.keys(figures).length > 0 || info.id === 'rope';
  return {
    ...(params ? { encoding: info.id, params } : {}),
    ...(needsCausalMask(configEncoding.encoding) ? { mask: 'causal' } : {}),
    ...(configEncoding.positionOffset === undefined ? {} : { positionOffset: configEncoding.positionOffset }),
    ...(isRotary ? { question: 'reach', view: 'frequencies' } : {}),
    figures: { ...Object.fromEntries(otherFigureFields), ...figures },
    tour: 0,
  };
}
