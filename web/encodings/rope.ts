import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'RoPE',
  year: 2021,
  authors: 'Su, Lu, Pan, Murtadha, Wen and Liu',
  paper: { title: 'RoFormer: Enhanced Transformer with Rotary Position Embedding', arxiv: '2104.09864' },
  usedBy: 'RoFormer, GPT-J, GPT-NeoX, LLaMA, Mistral, Qwen, Gemma, Phi, GLM, StableLM, Cohere, DeepSeek',
  rank: 1,
  wellKnown: true,
  formula: tex`\begin{aligned} S_{ij} &= \frac{(R_{i}\,q_i) \cdot (R_{j}\,k_j)}{\sqrt{d_h}} \\ R_p &= \mathrm{rot}(p\,\theta_0) \oplus \mathrm{rot}(p\,\theta_1) \oplus \cdots \\ \theta_t &= \mathrm{base}^{-2t/d_h} \end{aligned}`,
  summary:
    'Each pair of channels of queries and keys is rotated by an angle proportional to the position. The dot product of a query and a key then depends only on the difference of their positions.',
  note: 'Which channels form a pair differs between model families: adjacent ones in RoFormer, GPT-J and Meta’s LLaMA code, one from each half in GPT-NeoX, Hugging Face’s LLaMA, Mistral and Qwen. Weights trained with one convention silently give wrong results with the other. nanochat rotates the other way (direction). GPT-NeoX and Phi rotate only a fraction of the channels (partial rotary); p-RoPE leaves the lowest-frequency pairs unrotated. For sequences longer than in training, scaling lowers the frequencies: all of them (linear), or mostly the low ones (NTK-aware, YaRN, LongRoPE, Llama 3). YaRN’s ramp is linear in the index of the pair, as in the authors’ code; the ramp of their paper, linear in the number of turns, is that of Llama 3 with the factors 1 and 32. Without any training, remap scores far keys at other distances (Self-Extend, ReRoPE, LM-Infinite, dual chunk attention); it needs a causal mask, and the rotation of a single token is unchanged. Where the group of Self-Extend does not divide its window, distances skip one value at the border, as in the authors’ code. Dual chunk attention follows the paper; its code lets positions go one further (max_position) and also sharpens the scores, which is omitted here.',
  mainParams: ['base', 'layout', 'scaling', 'factor', 'original_length'],
};
