// Draws query and key at their current positions. Called in every frame of an animation.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Cursor } from '../../../charts/scene.ts';
import type { Rotation } from '../../compute/rotation.ts';
import type { RotationState } from '../../compute/rotation-state.ts';
import { computeHands, computeRotationsSince, dialMarks, formatDegrees, formatDistance, formatPosition, formatScore } from './dial.ts';
import { curveMarks, type ScoreSpec, scoreMarks } from './distance-curve.ts';
import type { Spec } from './fields.ts';
import { layoutRotation, type RotationLayout } from './layout.ts';
import { lineMarks } from './line.ts';
import { strings } from './strings.ts';

export interface RotationView {
  readonly currentState: RotationState;
  readonly previousState: RotationState | undefined;
  readonly pair: number;
}

export type Handle = 'query' | 'key' | 'both';

export function getShownPair({ results, spec }: { readonly results: Rotation; readonly spec: Spec }, { pair }: Cursor): number {
  const lastPair = results.channels.length - 1;
  return pair !== undefined && pair >= 0 && pair <= lastPair ? pair : Math.min(spec.pair, lastPair);
}

const POSITION_TOLERANCE = 1e-9;

export const hasMoved = ({ query, key }: RotationState, previousState: RotationState | undefined): previousState is RotationState =>
  previousState !== undefined &&
  (Math.abs(query - previousState.query) > POSITION_TOLERANCE || Math.abs(key - previousState.key) > POSITION_TOLERANCE);

export interface ScoreChange {
  /** Whether the score is the same as before the movement. Undefined before any movement. */
  readonly isSame: boolean | undefined;
  readonly hasBothMoved: boolean;
  readonly score: string;
  readonly previousScore: string;
}

/**
 * Compares the score with the previous one. Scores count as equal if they differ by no more than the proof's tolerance.
 */
export function compareScores({ tolerance }: Rotation, { currentState, previousState, pair }: RotationView): ScoreChange {
  const score = entryAt(currentState.scores, pair);
  if (!hasMoved(currentState, previousState))
    return { isSame: undefined, hasBothMoved: false, score: formatScore(score), previousScore: '' };
  const previousScore = entryAt(previousState.scores, pair);
  return {
    isSame: Math.abs(score - previousScore) <= tolerance,
    hasBothMoved: Math.abs(currentState.query - previousState.query - (currentState.key - previousState.key)) <= POSITION_TOLERANCE,
    score: formatScore(score),
    previousScore: formatScore(previousScore),
  };
}

function createScoreSpec(rotation: Rotation, view: RotationView): ScoreSpec {
  const { currentState, previousState, pair } = view;
  const { isSame, hasBothMoved, score, previousScore } = compareScores(rotation, view);
  const label = strings.scoreLabel(pair, rotation.channels.length);
  if (isSame === undefined || !previousState) {
    const relativeAngleText = formatDegrees(computeHands(rotation, currentState, pair).relativeAngle);
    return {
      label,
      score,
      isSame,
      sentence: strings.distanceAndAngle(formatDistance(Math.abs(currentState.query - currentState.key)), relativeAngleText),
    };
  }
  if (!isSame) return { label, score, isSame, sentence: strings.previousScore(previousScore) };
  const rotationText = formatDegrees(computeRotationsSince(currentState, previousState, pair).query);
  return { label, score, isSame, sentence: hasBothMoved ? strings.sameScoreAfterRotation(rotationText) : strings.sameScore };
}

export const layoutForSpec = ({ query, key, length }: Spec, width: number, maxHeight = Number.POSITIVE_INFINITY): RotationLayout =>
  layoutRotation(width, maxHeight, [formatPosition(query), formatPosition(key)], { length, query, key });

export function drawRotation(rotation: Rotation, layout: RotationLayout, view: RotationView): readonly Mark[] {
  const { currentState, pair } = view;
  const previousState = hasMoved(currentState, view.previousState) ? view.previousState : undefined;
  const { curve } = rotation;
  const distance = currentState.key - currentState.query;
  const endLabels = [entryAt(curve.xValues, 0), entryAt(curve.xValues, curve.xValues.length - 1)].map(formatDistance) as [string, string];
  const distanceText = formatDistance(Math.abs(distance));
  // Positions are rounded to one decimal during a movement and exact otherwise.
  const formatCurrentPosition = (name: 'query' | 'key'): string =>
    currentState[name] === rotation.currentState[name] ? formatPosition(currentState[name]) : formatDistance(currentState[name]);
  return [
    ...dialMarks(layout.dial, {
      hands: computeHands(rotation, currentState, pair),
      previousHands: previousState && computeHands(rotation, previousState, pair),
      rotations: previousState && computeRotationsSince(currentState, previousState, pair),
      anglePerPosition: rotation.anglePerPosition?.[pair],
      maxLength: entryAt(rotation.maxLengths, pair),
    }),
    ...scoreMarks(layout, createScoreSpec(rotation, view)),
    ...(layout.curve
      ? curveMarks(layout.curve, {
          curve,
          pair,
          dotPosition: curve.isByDistance ? distance : currentState.query,
          score: entryAt(currentState.scores, pair),
          isForOtherKey: !curve.isByDistance && currentState.key !== curve.key,
          caption: curve.isByDistance
            ? strings.curveCaption.byDistance
            : strings.curveCaption.byQueryPosition(formatCurrentPosition('key')),
          label: curve.isByDistance ? strings.distanceLabel(formatDistance(distance)) : strings.queryLabel(formatCurrentPosition('query')),
          endLabels,
        })
      : []),
    ...lineMarks(layout.line, {
      query: currentState.query,
      key: currentState.key,
      labels: { query: formatCurrentPosition('query'), key: formatCurrentPosition('key') },
      previousPositions: previousState,
      distanceTexts: [strings.barLabel(distanceText), distanceText],
    }),
  ];
}

export function describeRotation(rotation: Rotation, view: RotationView): string {
  const { currentState, pair } = view;
  const { score, isSame, sentence } = createScoreSpec(rotation, view);
  const angle = formatDegrees(computeHands(rotation, currentState, pair).relativeAngle);
  return strings.description(
    pair,
    formatPosition(currentState.query),
    formatPosition(currentState.key),
    angle,
    score,
    isSame === undefined ? '' : sentence,
  );
}
