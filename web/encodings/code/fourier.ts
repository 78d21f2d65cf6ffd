import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const drawn = `gaussian(${param('seed')}, (${Number(param('features')) > 0 ? param('features') : 'width // 2'}, axes))`;
  const matrix = given('frequency_matrix') ?? (param('matrix') === 'identity' ? 'np.eye(axes)' : drawn);
  const sigma = Number(param('sigma'));
  const amplitudes = given('amplitudes');
  const normalise = param('normalise') === true;
  return program([
    lines(
      'def encode(positions, width):',
      '    """Random Fourier features (Tancik et al. 2020, section 2): two channels a feature, whatever the width."""',
      `    x = np.asarray(positions, dtype=np.float64).reshape(len(positions), -1)${Number(param('extent')) === 1 ? '' : ` / ${param('extent')}`}`,
      matrix.includes('axes') && '    axes = x.shape[1]',
      `    b = ${sigma === 1 ? '' : `${sigma} * `}${matrix}`,
      `    angles = ${param('two_pi') === true ? '2 * math.pi * ' : ''}(x @ b.T)`,
      `    table = np.concatenate(${param('order') === 'cos_sin' ? '[np.cos(angles), np.sin(angles)]' : '[np.sin(angles), np.cos(angles)]'}, axis=1)`,
      amplitudes !== undefined && `    a = ${amplitudes}`,
      amplitudes !== undefined && normalise && '    a = a / (a**2).sum() ** 0.5',
      amplitudes !== undefined && '    table = table * np.tile(a, (2,))',
      amplitudes === undefined && normalise ? '    return table / len(b) ** 0.5' : '    return table',
    ),
  ]);
};
