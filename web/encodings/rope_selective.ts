import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'Selective RoPE',
  year: 2025,
  authors: 'Movahedi, Carstensen, Afzal, Hutter, Orvieto and Cevher',
  paper: { title: 'Selective Rotary Position Embedding', arxiv: '2511.17388' },
  usedBy: '',
  rank: 9,
  wellKnown: false,
  formula: tex`\alpha_{t,m} = \tau\,\mathrm{base}^{-2m/d_h} \sum_{l \le t} g_l\,\varphi_{l,m}`,
  summary:
    'Queries and keys are rotated as in RoPE, but the content of each word determines how far it rotates all later words. With steps of 1, this is RoPE.',
  note: 'Attention takes steps for each token, head and pair, and optionally a gate for each token. Query heads cannot share key heads, because each head rotates its keys by its own steps. A layer computes the steps from its embeddings as the authors do: it normalises the channels of each head, then applies a low-rank projection, a convolution over four tokens, optionally a bias (e^phi_bias, with which tokens without content rotate as in RoPE), and a sigmoid gate.',
};
