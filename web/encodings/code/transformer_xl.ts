import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const drawn = (name: string, otherwise: string): string => given(name) ?? otherwise;
  const clamp = Number(param('clamp_len'));
  const w_r = given('w_r');
  const seed = (stream: number): number => streamOf(param('seed'), stream);
  return program([
    lines(
      'def content_bias(q, k, queries, keys, scale):',
      '    """Transformer-XL (Dai et al. 2019, section 3.3): content to position, and the two trained vectors."""',
      '    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)',
      '    heads, _, width = q.shape',
      `    u = ${drawn('u', `0.02 * gaussian(${seed(0)}, (heads, width))`)}`,
      `    v = ${drawn('v', `0.02 * gaussian(${seed(1)}, (heads, width))`)}`,
      ...(w_r === undefined
        ? [
            '    model_width = heads * width + heads * width % 2',
            `    w_r = model_width ** -0.5 * gaussian(${seed(2)}, (heads * width, model_width))`,
          ]
        : [`    w_r = ${w_r}`, '    model_width = w_r.shape[1]']),
      `    frequencies = ${param('base')} ** (-2.0 * np.arange(model_width // 2) / model_width)`,
      clamp > 0 ? `    distance = np.clip(queries[:, None] - keys, -${clamp}, ${clamp})` : '    distance = queries[:, None] - keys',
      '    angles = distance[:, :, None] * frequencies',
      param('layout') === 'concatenated'
        ? '    r = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)'
        : '    r = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*distance.shape, -1)',
      "    relative = np.einsum('hwd,qkd->hqkw', w_r.reshape(heads, width, -1), r)",
      "    content = np.einsum('hw,hkw->hk', u, k)[:, None]",
      "    position = np.einsum('hqw,hqkw->hqk', q + v[:, None], relative)",
      '    return scale * (content + position)',
    ),
  ]);
};
