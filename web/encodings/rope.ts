import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'RoPE',
  year: 2021,
  authors: 'Su, Lu, Pan, Murtadha, Wen and Liu',
  paper: { title: 'RoFormer: Enhanced Transformer with Rotary Position Embedding', arxiv: '2104.09864' },
  usedBy: 'RoFormer, GPT-J, GPT-NeoX, LLaMA, Mistral, Qwen, Gemma, Phi, GLM, StableLM, Cohere, DeepSeek',
  rank: 1,
  wellKnown: true,
  formula: tex`\begin{aligned} S_{ij} &= \frac{(R_{i}\,q_i) \cdot (R_{j}\,k_j)}{\sqrt{d_h}} \\ R_p &= \mathrm{rot}(p\,\omega_0) \oplus \mathrm{rot}(p\,\omega_1) \oplus \cdots \\ \omega_t &= \mathrm{base}^{-2t/d_h} \end{aligned}`,
  summary:
    'Queries and keys are turned, pair of channels by pair of channels, by an angle that grows with the position. Their product then depends on where two words stand only through the distance between them.',
  note: 'Which channels form a pair differs between model families: neighbours in RoFormer, GPT-J and Meta’s LLaMA code, one from each half in GPT-NeoX, Hugging Face’s LLaMA, Mistral and Qwen. Weights made for one are wrong in the other, without an error. GPT-NeoX and Phi turn only a share of the channels (partial rotary); p-RoPE lets the slowest pairs stand still. For texts longer than in training, scaling slows the pairs down: all of them (linear), or mostly the slow ones (NTK-aware, YaRN, LongRoPE, Llama 3).',
  first: ['base', 'layout', 'scaling', 'factor', 'original_length'],
};
