// Creates the panel with a dial for every channel pair, and the selected pair's rotation written out in numbers.
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { computeHands, formatPosition, formatScore } from './dial.ts';
import type { Spec } from './fields.ts';
import { createPanel, type Panel, type PanelSpec, panelStrings } from './panel.ts';
import type { RotationView } from './picture.ts';
import { formatSpeed, getMatrixEntry } from './rows.ts';

const formatSign = (value: number): string => (value < 0 ? '−' : '+');
const formatComplex = (re: number, im: number): string => `(${formatNumber(re)} ${formatSign(im)} ${formatNumber(im).replace('−', '')}i)`;

/**
 * Writes the rotation of one pair as a complex product, as a matrix product and as elementwise products, at the
 * positions in the spec. The core's matrix maps (1, 0) to (cos, sin) and (0, 1) to (−sin, cos).
 */
function createForms(rotation: Rotation, { vector }: Spec, pair: number) {
  const [a, b] = entryAt(rotation.channels, pair);
  const { beforeRotation, rotated, firstAxis, secondAxis } = rotation[vector];
  const [x, y] = [entryAt(beforeRotation, a), entryAt(beforeRotation, b)];
  const [cos, sin] = [getMatrixEntry(firstAxis, 0, a), getMatrixEntry(firstAxis, 0, b)];
  const rotatedPair = [getMatrixEntry(rotated, 0, a), getMatrixEntry(rotated, 0, b)] as const;
  const tone = vector === 'query' ? 'series-1' : 'series-2';
  const column = (top: number, bottom: number) => ({ rows: [[top], [bottom]] });
  const rotatedColumn = { rows: [[rotatedPair[0]], [rotatedPair[1]]], tone } as const;
  const matrixRows = [
    [cos, getMatrixEntry(secondAxis, 0, a)],
    [sin, getMatrixEntry(secondAxis, 0, b)],
  ];
  const inkText = (text: string) => ({ text, tone: 'ink' }) as const;
  const [times, plus, equals] = [{ text: '⊙' }, { text: '+' }, { text: '=' }];
  return [
    {
      heading: panelStrings.complexHeading(rotation.scalesVectors),
      parts: [
        inkText(formatComplex(x, y)),
        { text: '·' },
        inkText(formatComplex(cos, sin)),
        equals,
        { text: formatComplex(...rotatedPair), tone },
      ],
    },
    { heading: panelStrings.matrixHeading(rotation.scalesVectors), parts: [{ rows: matrixRows }, column(x, y), equals, rotatedColumn] },
    {
      heading: panelStrings.elementwiseHeading[rotation.pairing],
      parts: [column(x, y), times, column(cos, cos), plus, column(-y, x), times, column(sin, sin), equals, rotatedColumn],
    },
  ] as const;
}

function createFormsSpec(rotation: Rotation, spec: Spec, pair: number): NonNullable<PanelSpec['forms']> {
  const [a, b] = entryAt(rotation.channels, pair);
  const describeVectorRotation = (name: 'query' | 'key', letter: string): string => {
    const angleText = formatNumber(getMatrixEntry(rotation[name].angles, 0, pair));
    return panelStrings.vectorRotation(letter, formatPosition(spec[name]), angleText, rotation.isOneDimensional);
  };
  return {
    title: panelStrings.formsTitle(pair, a, b, panelStrings.pairing[rotation.pairing]),
    legend: [
      { tone: 'series-1', text: describeVectorRotation('query', 'q') },
      { tone: 'series-2', text: describeVectorRotation('key', 'k') },
    ],
    forms: createForms(rotation, spec, pair),
  };
}

/** Returns the panel, or undefined while it is closed. */
export function createAllPairsPanel(
  rotation: Rotation,
  spec: Spec,
  { currentState, pair }: RotationView,
  width: number,
): Panel | undefined {
  if (spec.show === 'one_pair') return undefined;
  const isSinglePair = rotation.channels.length === 1;
  return createPanel({
    width,
    clocks: isSinglePair
      ? []
      : rotation.channels.map((_, index) => ({
          hands: computeHands(rotation, currentState, index),
          maxLength: entryAt(rotation.maxLengths, index),
          score: formatScore(entryAt(currentState.scores, index)),
          speedText: formatSpeed(rotation, index),
        })),
    chosenPair: pair,
    sumSentence: isSinglePair ? '' : panelStrings.pairSum(formatScore(currentState.totalScore), rotation.anglePerPosition !== undefined),
    ...(spec.show === 'three_ways' || isSinglePair ? { forms: createFormsSpec(rotation, spec, pair) } : {}),
  });
}
