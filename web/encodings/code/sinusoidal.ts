import { lines, program } from './parts/program.ts';
import { timescales } from './parts/timescales.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const base = param('base');
  const rule = String(param('frequencies'));
  const odd = String(param('odd_width'));
  // Whether an odd width has half a wave more, whose cosine is cut off, or a last column of 0.
  const isCut = rule === 'paper' && odd !== 'zero_padded';
  const frequencies: { readonly [rule: string]: string } = {
    paper: `${base} ** (-2.0 * np.arange(waves) / ${odd === 'rounded_up' ? '(2 * waves)' : 'width'})`,
    fairseq: `${base} ** (-np.arange(waves) / (waves - 1))`,
    tensor2tensor: timescales(param('min_timescale'), param('max_timescale')),
  };
  const padding = Number(param('padding_idx'));
  const scale = given('scale');
  const origins: { readonly [rule: string]: string } = {
    paper: 'Vaswani et al. 2017, section 3.5',
    fairseq: 'Vaswani et al. 2017, with the frequencies of fairseq',
    tensor2tensor: 'Vaswani et al. 2017, with the timescales of tensor2tensor',
  };
  return program([
    lines(
      'def encode(positions, width):',
      `    """Sinusoidal positions (${origins[rule]})."""`,
      `    waves = ${isCut ? '(width + 1) // 2' : 'width // 2'}`,
      `    frequencies = ${frequencies[rule]}`,
      '    angles = np.asarray(positions, dtype=np.float64)[:, None] * frequencies',
      param('layout') === 'interleaved'
        ? '    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)'
        : '    table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)',
      padding >= 0 && `    table = table * (positions != ${padding})[:, None]`,
      param('scaled') === true && `    table = table * ${scale ?? 'width ** -0.5'}`,
      isCut ? '    return table[:, :width]' : '    return np.pad(table, ((0, 0), (0, width - table.shape[1])))',
    ),
  ]);
};
