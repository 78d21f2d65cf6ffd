import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) => ({
  numpy: `def encode(positions, width):
    """Sinusoidal positions (Vaswani et al. 2017, section 3.5)."""
    waves = (width + 1) // 2
    frequencies = ${param('base')} ** (-2.0 * np.arange(waves) / width)
    angles = np.asarray(positions, dtype=np.float64)[:, None] * frequencies
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
    return table[:, :width]
`,
  pytorch: `def encode(positions, width):
    """Sinusoidal positions (Vaswani et al. 2017, section 3.5)."""
    waves = (width + 1) // 2
    frequencies = ${param('base')} ** (-2.0 * torch.arange(waves, dtype=torch.float64) / width)
    angles = positions.double()[:, None] * frequencies
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(len(angles), -1)
    return table[:, :width].float()
`,
});
