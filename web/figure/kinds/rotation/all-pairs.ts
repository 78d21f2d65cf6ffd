// Creates the panel with a dial for every channel pair, and the selected pair's rotation written out in numbers.
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { handsOf, positionText, scoreText } from './dial.ts';
import type { Spec } from './fields.ts';
import { createPanel, type Panel, type PanelSpec, panelStrings } from './panel.ts';
import type { RotationView } from './picture.ts';
import { matrixEntry, speedText } from './rows.ts';

const signText = (value: number): string => (value < 0 ? '−' : '+');
const complexText = (re: number, im: number): string => `(${formatNumber(re)} ${signText(im)} ${formatNumber(im).replace('−', '')}i)`;

/**
 * Writes the rotation of one pair as a complex product, as a matrix product and as elementwise products, at the
 * positions in the spec. The core's matrix maps (1, 0) to (cos, sin) and (0, 1) to (−sin, cos).
 */
function formsOf(rotation: Rotation, { vector }: Spec, pair: number) {
  const [a, b] = entryAt(rotation.channels, pair);
  const { beforeRotation, rotated, firstAxis, secondAxis } = rotation[vector];
  const [x, y] = [entryAt(beforeRotation, a), entryAt(beforeRotation, b)];
  const [cos, sin] = [matrixEntry(firstAxis, 0, a), matrixEntry(firstAxis, 0, b)];
  const rotatedPair = [matrixEntry(rotated, 0, a), matrixEntry(rotated, 0, b)] as const;
  const tone = vector === 'query' ? 'series-1' : 'series-2';
  const column = (top: number, bottom: number) => ({ rows: [[top], [bottom]] });
  const rotatedColumn = { rows: [[rotatedPair[0]], [rotatedPair[1]]], tone } as const;
  const matrixRows = [
    [cos, matrixEntry(secondAxis, 0, a)],
    [sin, matrixEntry(secondAxis, 0, b)],
  ];
  const inkText = (text: string) => ({ text, tone: 'ink' }) as const;
  const [times, plus, equals] = [{ text: '⊙' }, { text: '+' }, { text: '=' }];
  return [
    {
      heading: panelStrings.complex(rotation.scalesVectors),
      parts: [
        inkText(complexText(x, y)),
        { text: '·' },
        inkText(complexText(cos, sin)),
        equals,
        { text: complexText(...rotatedPair), tone },
      ],
    },
    { heading: panelStrings.matrix(rotation.scalesVectors), parts: [{ rows: matrixRows }, column(x, y), equals, rotatedColumn] },
    {
      heading: panelStrings.efficient[rotation.pairing],
      parts: [column(x, y), times, column(cos, cos), plus, column(-y, x), times, column(sin, sin), equals, rotatedColumn],
    },
  ] as const;
}

function rotationForms(rotation: Rotation, spec: Spec, pair: number): NonNullable<PanelSpec['forms']> {
  const [a, b] = entryAt(rotation.channels, pair);
  const line = (name: 'query' | 'key', letter: string): string => {
    const angleText = formatNumber(matrixEntry(rotation[name].angles, 0, pair));
    return panelStrings.rotated(letter, positionText(spec[name]), angleText, rotation.isOneDimensional);
  };
  return {
    title: panelStrings.title(pair, a, b, panelStrings.pairing[rotation.pairing]),
    legend: [
      { tone: 'series-1', text: line('query', 'q') },
      { tone: 'series-2', text: line('key', 'k') },
    ],
    forms: formsOf(rotation, spec, pair),
  };
}

/** Returns the panel, or undefined while it is closed. */
export function allPairsPanel(rotation: Rotation, spec: Spec, { currentState, pair }: RotationView, width: number): Panel | undefined {
  if (spec.show === 'one_pair') return undefined;
  const isSinglePair = rotation.channels.length === 1;
  return createPanel({
    width,
    clocks: isSinglePair
      ? []
      : rotation.channels.map((_, index) => ({
          hands: handsOf(rotation, currentState, index),
          maxLength: entryAt(rotation.maxLengths, index),
          score: scoreText(entryAt(currentState.scores, index)),
          speedText: speedText(rotation, index),
        })),
    chosenPair: pair,
    sumSentence: isSinglePair ? '' : panelStrings.sum(scoreText(currentState.totalScore), rotation.anglePerPosition !== undefined),
    ...(spec.show === 'three_ways' || isSinglePair ? { forms: rotationForms(rotation, spec, pair) } : {}),
  });
}
