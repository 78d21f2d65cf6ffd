import { grid } from './parts/grid.ts';
import { lines, program } from './parts/program.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

const docs: { readonly [convention: string]: string } = {
  rope_vit: 'First x, then y (Heo et al. 2024).',
  llama4: 'First x, then y, counted from 1 (Llama 4 vision, torchtune).',
  pixtral: 'Every other frequency by row, then the others by column (Pixtral).',
  qwen2_vl: 'First row, then column (the vision tower of Qwen2-VL).',
  pixel: 'First row, then column, from -1 to 1 across the picture (lucidrains).',
};

/** -1 .. 1 across n places. */
const across = (name: string, n: number): string => (n === 1 ? `${name} - 1` : `-1 + 2 * ${name} / ${n - 1}`);

export const source: EncodingSource = (param) => {
  const convention = String(param('convention'));
  const base = Number(param('base')) > 1 ? param('base') : convention === 'rope_vit' ? 100 : 10000;
  const rotaryWidth = Number(param('rotary_width'));
  const columnFirst = convention === 'rope_vit' || convention === 'llama4';
  const halves = convention === 'pixtral' || convention === 'qwen2_vl';
  return program([
    grid(param('columns')),
    lines(
      'def angles(positions, width):',
      `    """By how much each pair is rotated. ${docs[convention]}"""`,
      rotaryWidth > 0 && `    width = ${rotaryWidth}  # of the channels that are rotated`,
      '    row, column = grid(positions)',
      convention === 'llama4' && '    row, column = row + 1, column + 1',
      convention === 'pixel' && `    row, column = ${across('row', Number(param('rows')))}, ${across('column', Number(param('columns')))}`,
      convention === 'pixtral' && `    w = ${base} ** (-2.0 * np.arange(width // 2) / width)`,
      convention === 'pixel' && `    w = math.pi * (1 + (${param('max_freq')} / 2 - 1) * np.arange(width // 4) / max(width // 4 - 1, 1))`,
      convention !== 'pixtral' && convention !== 'pixel' && `    w = ${base} ** (-4.0 * np.arange(width // 4) / width)`,
      convention === 'pixtral'
        ? '    return np.concatenate([row[:, None] * w[0::2], column[:, None] * w[1::2]], axis=1)'
        : columnFirst
          ? '    return np.concatenate([column[:, None] * w, row[:, None] * w], axis=1)'
          : '    return np.concatenate([row[:, None] * w, column[:, None] * w], axis=1)',
    ),
    rotation({
      layout: halves ? 'half_split' : 'interleaved',
      doc: 'Axial RoPE of the queries or keys of patches, x (heads, patches, width).',
      rotaryWidth: rotaryWidth > 0 ? String(rotaryWidth) : undefined,
    }),
  ]);
};
