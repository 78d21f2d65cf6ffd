import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'T5 buckets',
  year: 2019,
  authors: 'Raffel, Shazeer, Roberts, Lee, Narang, Matena, Zhou, Li and Liu',
  paper: { title: 'Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer', arxiv: '1910.10683' },
  usedBy: 'T5, x-transformers',
  rank: 2,
  wellKnown: true,
  formula: tex`S_{ij} = q_i \cdot k_j + b_{h,\,\mathrm{bucket}(j - i)}, \quad \mathrm{bucket}(m) = m_e + \left\lfloor \frac{\ln(m / m_e)}{\ln(m_{\max} / m_e)}\,(n_b - m_e) \right\rfloor \ \text{for } m \ge m_e`,
  summary:
    'Every head learns one bias per bucket of distances and adds it to the score. Each short distance has its own bucket; long ones share logarithmically growing buckets.',
  note: 'T5 does not divide q·k by √d; its initialisation compensates for this. x-transformers and GPT-NeoX divide, and multiply the bias by √d. Bucket boundaries fall on integers such as 16, 32 and 64, so they are computed here in integer arithmetic.',
};
