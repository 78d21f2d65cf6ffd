import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'LieRE',
  year: 2024,
  authors: 'Ostmeier, Axelrod, Varma, Moseley, Chaudhari and Langlotz',
  paper: { title: 'LieRE: Lie Rotational Positional Encodings', arxiv: '2406.10322' },
  usedBy: '',
  rank: 6,
  wellKnown: false,
  formula: tex`R_p = \exp\Big(\sum_{a} p_a\,(U_a - U_a^{\top})\Big)`,
  summary:
    'Instead of pairs of channels, whole blocks are rotated, by the exponential of a learned skew-symmetric matrix for each coordinate. With blocks of two channels, this is RoPE-Mixed.',
  note: 'Rotations of larger blocks do not commute, so scores depend on both positions and not only on their difference. Only the upper triangles of the generators are used. The authors’ positions are fractions of the image size. Each head has its own generators, so there must be as many key heads as query heads.',
  mainParams: ['block', 'axes', 'spread', 'columns'],
};
