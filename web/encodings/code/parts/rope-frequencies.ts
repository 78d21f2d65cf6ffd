// What rope and mrope share: frequencies after context extension, how many channels are rotated, and the factor on cosines and sines.
import type { Arrays, Values } from '../source.ts';
import { lines } from './program.ts';

export interface RopeFrequencies {
  /** frequencies(width), or original(width) too. */
  readonly functions: readonly string[];
  /** See Rotation. */
  readonly rotaryWidth: string | undefined;
  /** A Python expression; undefined for 1. */
  readonly factor: string | undefined;
}

const docs: { readonly [scaling: string]: string } = {
  none: 'Radians per token of each pair (Su et al. 2021, section 3.2.2).',
  linear: 'Frequencies for a longer context: position interpolation (Chen et al. 2023).',
  ntk_aware: 'Frequencies for a longer context: NTK-aware, with a larger base (bloc97 2023).',
  dynamic_ntk: 'Frequencies for a longer context: dynamic NTK, with a base that grows with the text (emozilla 2023).',
  by_parts: 'Frequencies for a longer context: NTK by parts (Peng et al. 2023, section 3.2).',
  yarn: 'Frequencies for a longer context: YaRN (Peng et al. 2023, section 3.4).',
  longrope: 'Frequencies for a longer context: LongRoPE (Ding et al. 2024).',
  llama3: 'Frequencies for a longer context: Llama 3.1, in three bands.',
  part_ntk: 'Frequencies for a longer context: the class "part NTK" of the YaRN repository.',
};

/** The ramp of YaRN: 0 before the pair that turns `fast` times within the original context, 1 from the one that turns `slow` times. */
const ramp = (base: unknown, length: unknown, truncate: boolean): string => `def ramp(fast, slow, width):
    """0 up to the pair that turns \`fast\` times within the original context, 1 from the one that turns \`slow\` times."""
    low, high = (width * math.log(${length} / (turns * 2 * math.pi)) / (2 * math.log(${base})) for turns in (fast, slow))
    low, high = max(${truncate ? 'math.floor(low)' : 'low'}, 0), min(${truncate ? 'math.ceil(high)' : 'high'}, width - 1)
    return np.clip((np.arange(width // 2) - low) / (high - low or 0.001), 0, 1)`;

/** A larger base, by which the slowest pair is slowed the most; a single pair has nothing to slow. */
const rebased = (base: unknown, stretch: string): string => `${base} * ${stretch} ** (width / max(width - 2, 1))`;
const powers = (base: string): string => `${base} ** (-2.0 * np.arange(width // 2) / width)`;

function body(param: Values, given: Arrays): { readonly before?: string; readonly lines: readonly string[] } {
  const scaling = String(param('scaling'));
  const [base, factor, length] = [param('base'), param('factor'), param('original_length')];
  const original = `    original = ${powers(String(base))}`;
  switch (scaling) {
    case 'linear':
      return { lines: [`    scaled = ${powers(String(base))} / ${factor}`] };
    case 'ntk_aware':
      return { lines: [`    base = ${rebased(base, String(factor))}`, `    scaled = ${powers('base')}`] };
    case 'dynamic_ntk':
      if (Number(param('sequence_length')) <= Number(length)) return { lines: [`    scaled = ${powers(String(base))}`] };
      return {
        lines: [
          `    stretch = ${factor} * ${param('sequence_length')} / ${length} - (${factor} - 1)`,
          `    base = ${rebased(base, 'stretch')}`,
          `    scaled = ${powers('base')}`,
        ],
      };
    case 'by_parts':
    case 'yarn':
      return {
        before: ramp(base, length, param('truncate') === true),
        lines: [
          original,
          `    share = ramp(${param('beta_fast')}, ${param('beta_slow')}, width)`,
          `    scaled = original * (1 - share) + original / ${factor} * share`,
        ],
      };
    case 'llama3': {
      const [low, high] = [param('low_freq_factor'), param('high_freq_factor')];
      return {
        lines: [
          original,
          `    turns = ${length} * original / (2 * math.pi)`,
          low === high ? `    share = 1.0 * (turns >= ${low})` : `    share = np.clip((turns - ${low}) / (${high} - ${low}), 0, 1)`,
          `    scaled = original / ${factor} * (1 - share) + original * share`,
        ],
      };
    }
    case 'longrope': {
      const isBeyond = Number(param('sequence_length')) > Number(length);
      const divisor = given(isBeyond ? 'long_factor' : 'short_factor') ?? (isBeyond ? String(factor) : '1');
      return { lines: [`    scaled = ${powers(String(base))}${divisor === '1' ? '' : ` / ${divisor}`}`] };
    }
    case 'part_ntk':
      return {
        before: ramp(base, length, true),
        lines: [
          original,
          `    base = ${rebased(base, String(factor))}`,
          `    between = ramp(${param('beta_0')}, ${param('beta_1')}, width)`,
          `    slow = ${powers('base')} * (1 - between) + original / ${factor} * between`,
          `    whole = ramp(${param('gamma_0')}, ${param('gamma_1')}, width)`,
          '    scaled = original * (1 - whole) + slow * whole',
        ],
      };
    default:
      return { lines: [`    scaled = ${powers(String(base))}`] };
  }
}

const yarnMagnitude = (stretch: unknown, mscale: unknown): string =>
  Number(stretch) <= 1 ? '1' : `${Number(mscale) === 1 ? '0.1' : `0.1 * ${mscale}`} * math.log(${stretch}) + 1`;

/** The factor on cosines and sines, which a longer context wants larger. */
function attentionFactor(param: Values): string | undefined {
  if (Number(param('attention_factor')) > 0) return String(param('attention_factor'));
  const [scaling, factor, length] = [param('scaling'), param('factor'), param('original_length')];
  if (scaling === 'yarn') {
    const [mscale, all] = [param('mscale'), param('mscale_all_dim')];
    if (Number(mscale) > 0 && Number(all) > 0) return `(${yarnMagnitude(factor, mscale)}) / (${yarnMagnitude(factor, all)})`;
    return yarnMagnitude(factor, 1);
  }
  if (scaling !== 'longrope') return undefined;
  const longest = Number(param('max_length'));
  const isLonger = longest > 0 ? longest > Number(length) : Number(factor) > 1;
  if (!isLonger) return undefined;
  const stretch = longest > 0 ? `(${longest} / ${length})` : String(factor);
  if (param('magnitude') === 'yarn') return `0.1 * math.log(${stretch}) + 1`;
  return `math.sqrt(1 + math.log(${stretch}) / math.log(${length}))`;
}

/** A function of that name with the lines that leave `scaled`. */
function frequenciesFunction(name: string, doc: string, param: Values, found: readonly string[]): string {
  const kept = Number(param('kept_fraction'));
  const last = found.at(-1)?.replace(/^ {4}scaled = /, '    return ') ?? '';
  return lines(
    `def ${name}(width):`,
    `    """${doc}${kept < 1 ? ` The slowest do not rotate (p-RoPE, Barbero et al. 2024).` : ''}"""`,
    ...(kept < 1
      ? [...found, `    return np.where(np.arange(width // 2) < math.floor(${kept} * width / 2), scaled, 0.0)`]
      : [...found.slice(0, -1), last]),
  );
}

/** `hasOriginal`: also a function original(width), the frequencies before context extension. */
export function ropeFrequencies(param: Values, given: Arrays, hasOriginal = false): RopeFrequencies {
  const { before, lines: found } = body(param, given);
  const width = Number(param('rotary_width'));
  const fraction = Number(param('rotary_fraction'));
  const factor = attentionFactor(param);
  const untouched = [`    scaled = ${powers(String(param('base')))}`];
  return {
    functions: [
      ...(before === undefined ? [] : [before]),
      ...(hasOriginal ? [frequenciesFunction('original_frequencies', docs.none ?? '', param, untouched)] : []),
      frequenciesFunction('frequencies', docs[String(param('scaling'))] ?? '', param, found),
    ],
    rotaryWidth: width > 0 ? String(width) : fraction < 1 ? `int(${fraction} * width)` : undefined,
    factor: factor === '1' ? undefined : factor,
  };
}
