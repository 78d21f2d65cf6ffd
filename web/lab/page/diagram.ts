// Draws a small diagram of attention, with the injection point of the encoding highlighted.
import { type SVGTemplateResult, svg } from 'lit';
import type { Injection } from '../../engine/index.ts';

interface DiagramStep {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly injections: readonly Injection[];
}

const STEPS: readonly DiagramStep[] = [
  { label: 'words', x: 25, y: 42, width: 48, injections: ['input'] },
  { label: 'q', x: 76, y: 13, width: 22, injections: ['query_key'] },
  { label: 'k', x: 76, y: 42, width: 22, injections: ['query_key', 'key_value'] },
  { label: 'v', x: 76, y: 71, width: 22, injections: ['key_value'] },
  { label: 'scores', x: 130, y: 27, width: 52, injections: ['score', 'score_content'] },
  { label: 'weights', x: 201, y: 27, width: 58, injections: [] },
  { label: 'outputs', x: 201, y: 71, width: 58, injections: [] },
];

const ARROW_PATHS = [
  'M49,42L65,13',
  'M49,42L65,42',
  'M49,42L65,71',
  'M87,13L104,25',
  'M87,42L104,29',
  'M156,27L172,27',
  'M87,71L172,71',
  'M201,38L201,60',
];

export function renderDiagram(injection: Injection | undefined): SVGTemplateResult {
  const renderStep = ({ label, x, y, width, injections }: DiagramStep) => {
    const isHighlighted = injection !== undefined && injections.includes(injection);
    return svg`<g class=${isHighlighted ? 'step lit' : 'step'}>
      <rect x=${x - width / 2} y=${y - 11} width=${width} height="22" rx="3"></rect>
      <text x=${x} y=${y} dy="0.34em" text-anchor="middle">${label}</text>
    </g>`;
  };
  return svg`<svg class="diagram" viewBox="0 0 231 84" width="231" height="84" role="img"
    aria-label="Words are projected to queries, keys and values; queries and keys give scores, scores give weights, weights and values give outputs.">
    ${ARROW_PATHS.map((d) => svg`<path d=${d}></path>`)}
    ${STEPS.map(renderStep)}
  </svg>`;
}
