import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'GRAPE-A',
  year: 2025,
  authors: 'Zhang, Chen, Liu, Qin et al.',
  paper: { title: 'Group Representational Position Encoding', arxiv: '2512.07805' },
  usedBy: '',
  rank: 4,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} - (i - j)\,m_h\left(\sigma^{+}\!\left(\frac{u_h \cdot k_j}{\sqrt{d_h}}\right) + \sigma^{+}\!\left(\frac{r_h \cdot q_i}{\sqrt{d_h}}\right)\right)`,
  summary:
    'ALiBi with a slope that depends on the content: a key can fade faster or more slowly with distance, and a query can look further back. σ⁺ is softplus.',
  note: 'Either of the two terms can be left out (gate). When u and r are 0, this is ALiBi with the slope m ln 2. The authors’ code normalises u and r and derives the slope m (omega) from a learned parameter; here all three are used unchanged. The factor 1/√d is in both the paper and the code; comments in the code omit it (gate_scale). It is causal: keys to the right of the query get no penalty.',
};
