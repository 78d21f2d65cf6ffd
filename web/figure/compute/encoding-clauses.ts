import { formatId, formatGroupedDecimal as grouped } from '../../charts/english.ts';
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
export const getEncodingName = ({ id }: EncodingConfig): string => ENCODING_NAMES[id] ?? formatId(id);

const formatGrouped = (value: unknown): string => grouped(Number(value));

const FRACTION_NAMES: { readonly [fraction: number]: string } = { 0.25: 'a quarter', 0.5: 'half', 0.75: 'three quarters' };
const formatFraction = (fraction: unknown): string =>
  FRACTION_NAMES[Number(fraction)] ?? `${grouped(Number((100 * Number(fraction)).toFixed(1)))}%`;

/** Describes how the frequencies are scaled for longer texts. Returns an empty list if they are not scaled. */
function describeScaling({ scaling, factor, original_length: length }: EncodingConfig): readonly string[] {
  if (scaling === undefined || scaling === 'none') return [];
  const scaledText = factor === undefined ? 'scaled down' : `divided by ${formatGrouped(factor)}`;
  const lengthText = length === undefined ? '' : `, original length ${formatGrouped(length)} tokens`;
  if (scaling === 'linear') return [`all frequencies ${scaledText}`];
  if (scaling === 'dynamic_ntk')
    return [`base that grows with the text length${length === undefined ? '' : ` beyond ${formatGrouped(length)} tokens`}`];
  if (scaling === 'longrope') return [`each frequency divided by its own factor${lengthText}`];
  return [`low frequencies ${scaledText}${lengthText}`];
}

/** Describes which channels rotate. Returns an empty list if all channels do. */
function describeRotaryChannels({ rotary_fraction, rotary_dim, rotary_offset, kept_fraction }: EncodingConfig): readonly string[] {
  const channels = rotary_offset
    ? `the last ${formatGrouped(rotary_dim)} of ${formatGrouped(Number(rotary_offset) + Number(rotary_dim))} channels`
    : rotary_dim
      ? `${formatGrouped(rotary_dim)} channels of a head`
      : rotary_fraction !== undefined && rotary_fraction !== 1
        ? `${formatFraction(rotary_fraction)} of each head`
        : undefined;
  return [
    ...(channels === undefined ? [] : [`on ${channels}`]),
    ...(kept_fraction === undefined || kept_fraction === 1
      ? []
      : [`only the fastest ${formatFraction(kept_fraction).replace(/^a /, '')} of the pairs`]),
  ];
}

function describeRotation(encoding: EncodingConfig): readonly string[] {
  const { id, layout, direction, base, remap } = encoding;
  const axesText = id === 'mrope' ? ' by time, row and column' : '';
  return [
    `${getEncodingName(encoding)} with ${layout === 'half_split' ? 'half-split' : 'interleaved'} pairs${axesText}`,
    ...(direction === 'negative' ? ['rotating in the opposite direction'] : []),
    ...describeRotaryChannels(encoding),
    ...(base === undefined ? [] : [`base ${formatGrouped(base)}`]),
    ...describeScaling(encoding),
    ...(remap === undefined || remap === 'none' ? [] : [`distances remapped (${formatId(String(remap))})`]),
  ];
}

const describePositionCount = ({ max_length, row_offset }: EncodingConfig): string =>
  max_length === undefined ? '' : ` for ${formatGrouped(Number(max_length) - Number(row_offset ?? 0))} positions`;

/** Returns clauses such as 'RoPE with half-split pairs', 'base 500,000', 'low frequencies divided by 8, original length 8,192 tokens'. */
export function listEncodingClauses(encoding: EncodingConfig): readonly string[] {
  switch (encoding.id) {
    case 'rope':
    case 'mrope':
      return describeRotation(encoding);
    case 'rope_2d':
      return ['2-D RoPE rotates by row and column', ...(encoding.base === undefined ? [] : [`base ${formatGrouped(encoding.base)}`])];
    case 'none':
      return ['no positions'];
    case 'alibi':
      return ['ALiBi, a bias that falls with distance'];
    case 't5':
      return [`T5, a learned bias for each of ${formatGrouped(encoding.num_buckets ?? 32)} distance ranges`];
    case 'learned':
      return [`a learned table${describePositionCount(encoding)} is added to the embeddings`];
    case 'sinusoidal':
      return ['sines and cosines are added to the embeddings'];
    case 'shaw':
      return ['a learned vector for each distance is added to the keys'];
    case 'deberta':
      return ['DeBERTa, products of content with learned distance vectors'];
    case 'transformer_xl':
      return ['Transformer-XL, products of content with distance sinusoids'];
    default:
      return [formatId(encoding.id)];
  }
}
