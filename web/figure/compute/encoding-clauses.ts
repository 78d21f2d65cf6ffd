// Describes an encoding and its parameters in clauses of a sentence.
import { groupedDecimal as grouped, readableId } from '../../charts/english.ts';
import type { EncodingConfig } from '../../engine/index.ts';

const ENCODING_NAMES: { readonly [id: string]: string } = {
  rope: 'RoPE',
  mrope: 'M-RoPE',
  rope_2d: '2-D RoPE',
  none: 'no positions',
  alibi: 'ALiBi',
  t5: 'T5',
  learned: 'a learned table',
  sinusoidal: 'sinusoids',
  shaw: 'relative vectors',
  deberta: 'DeBERTa',
  transformer_xl: 'Transformer-XL',
};
export const encodingName = ({ id }: EncodingConfig): string => ENCODING_NAMES[id] ?? readableId(id);

const numberText = (value: unknown): string => grouped(Number(value));

const FRACTION_NAMES: { readonly [share: number]: string } = { 0.25: 'a quarter', 0.5: 'half', 0.75: 'three quarters' };
const fractionText = (share: unknown): string => FRACTION_NAMES[Number(share)] ?? `${grouped(Number((100 * Number(share)).toFixed(1)))}%`;

/** Clauses that say how frequencies are scaled for longer texts; empty without scaling. */
function scalingClauses({ scaling, factor, original_length: length }: EncodingConfig): readonly string[] {
  if (scaling === undefined || scaling === 'none') return [];
  const factorText = factor === undefined ? '' : ` ${numberText(factor)} times`;
  const thresholdText = length === undefined ? '' : ` from ${numberText(length)} tokens`;
  if (scaling === 'linear') return [`every pair stretched${factorText}`];
  if (scaling === 'dynamic_ntk')
    return [`base growing with text length${length === undefined ? '' : ` beyond ${numberText(length)} tokens`}`];
  if (scaling === 'longrope') return [`each pair stretched by its own factor${thresholdText}`];
  return [`slow pairs stretched${factorText}${thresholdText}`];
}

/** Clauses that say which channels rotate; empty if all of them do. */
function rotaryChannels({ rotary_fraction, rotary_dim, rotary_offset, kept_fraction }: EncodingConfig): readonly string[] {
  const channels = rotary_offset
    ? `the last ${numberText(rotary_dim)} of ${numberText(Number(rotary_offset) + Number(rotary_dim))} channels`
    : rotary_dim
      ? `${numberText(rotary_dim)} channels of a head`
      : rotary_fraction !== undefined && rotary_fraction !== 1
        ? `${fractionText(rotary_fraction)} of each head`
        : undefined;
  return [
    ...(channels === undefined ? [] : [`on ${channels}`]),
    ...(kept_fraction === undefined || kept_fraction === 1
      ? []
      : [`only the fastest ${fractionText(kept_fraction).replace(/^a /, '')} of the pairs`]),
  ];
}

function rotationClauses(encoding: EncodingConfig): readonly string[] {
  const { id, layout, direction, base, remap } = encoding;
  const axesText = id === 'mrope' ? ' by time, row and column' : '';
  return [
    `${encodingName(encoding)} pairs ${layout === 'half_split' ? 'halves' : 'neighbours'}${axesText}`,
    ...(direction === 'negative' ? ['rotating in the opposite direction'] : []),
    ...rotaryChannels(encoding),
    ...(base === undefined ? [] : [`base ${numberText(base)}`]),
    ...scalingClauses(encoding),
    ...(remap === undefined || remap === 'none' ? [] : [`distances remapped (${readableId(String(remap))})`]),
  ];
}

const positionCount = ({ max_length, row_offset }: EncodingConfig): string =>
  max_length === undefined ? '' : ` for ${numberText(Number(max_length) - Number(row_offset ?? 0))} positions`;

/** Clauses such as 'RoPE pairs halves', 'base 500,000', 'slow pairs stretched 8 times from 8,192 tokens'. */
export function encodingClauses(encoding: EncodingConfig): readonly string[] {
  switch (encoding.id) {
    case 'rope':
    case 'mrope':
      return rotationClauses(encoding);
    case 'rope_2d':
      return ['2-D RoPE rotates by row and column', ...(encoding.base === undefined ? [] : [`base ${numberText(encoding.base)}`])];
    case 'none':
      return ['no positions'];
    case 'alibi':
      return ['ALiBi, a bias that falls with distance'];
    case 't5':
      return [`T5, a learned bias for each of ${numberText(encoding.num_buckets ?? 32)} ranges of distance`];
    case 'learned':
      return [`a learned table${positionCount(encoding)} is added to the embeddings`];
    case 'sinusoidal':
      return ['sines and cosines are added to the embeddings'];
    case 'shaw':
      return ['a learned vector for each distance is added to the keys'];
    case 'deberta':
      return ['DeBERTa, products of content with learned distance vectors'];
    case 'transformer_xl':
      return ['Transformer-XL, products of content with distance sinusoids'];
    default:
      return [readableId(encoding.id)];
  }
}
