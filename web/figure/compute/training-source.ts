// Writes notes on whether training curves were recorded or computed in the browser, and draws the notes below the curves.
import { translateMark } from '../../charts/compose.ts';
import type { Frame, Scene } from '../../charts/scene.ts';
import { LABEL_SIZE } from '../../charts/text-metrics.ts';
import { wrapText } from '../../charts/wrapped-text.ts';
import { TRAINING_STRINGS } from './training-strings.ts';

export interface CurveSource {
  readonly origin: 'recorded' | 'live';
  readonly command: string;
  readonly seeds: readonly number[];
  /** Total number of training steps. */
  readonly total: number;
  /** Estimated training time on this device, in seconds; undefined until it is known. */
  readonly estimatedSeconds?: number | undefined;
  readonly isHidden: boolean;
  /** Whether only one worker runs at a time. */
  readonly isSequential: boolean;
}

interface RunState {
  readonly origin: CurveSource['origin'];
  readonly canTrain: boolean;
  readonly isRunning: boolean;
}

/**
 * Returns a note on the origin of the curves.
 * @param doneSteps the number of steps completed by all lines
 */
export function formatSource({ origin, seeds, total, estimatedSeconds, isHidden, isSequential }: CurveSource, doneSteps: number): string {
  if (origin === 'recorded') return TRAINING_STRINGS.recorded(seeds);
  const liveText = TRAINING_STRINGS.live(seeds, doneSteps, total, isSequential, doneSteps < total ? estimatedSeconds : undefined);
  return isHidden ? `${liveText}. ${TRAINING_STRINGS.hidden}` : liveText;
}

/** Returns a comment for an exported program. For recorded curves, it includes the command that reproduces the training. */
export const formatSourceComment = ({ origin, command }: Pick<CurveSource, 'origin' | 'command'>, source: string): string =>
  `# ${source}${origin === 'recorded' ? `: ${command}` : ''}`;

/** On a page without the training text, appends the reason why only recorded models are shown. Exported images omit it. */
export const withMissingTextReason = (message: string, lacksText: boolean): string =>
  lacksText ? `${message}. ${TRAINING_STRINGS.lacksNovel}` : message;

/** Before and during a long training run, appends a note that training uses all cores and can be stopped. */
export const withLoadNote = (sentence: string, { canTrain, isRunning, origin }: RunState, budget: string): string =>
  budget === '60' && canTrain && (isRunning || origin === 'recorded') ? `${sentence}. ${TRAINING_STRINGS.battery}` : sentence;

/** Draws a scene with notes below it, within the available height. */
export function withNote(sentences: readonly string[], frame: Frame, drawScene: (frame: Frame) => Scene): Scene {
  const note = wrapText(sentences, frame.width - 8, LABEL_SIZE, 'muted');
  const maxHeight = frame.maxHeight === undefined ? undefined : frame.maxHeight - note.height - 8;
  const scene = drawScene({ ...frame, maxHeight });
  const { picture } = scene;
  const noteMarks = note.marks.map((mark) => translateMark(mark, 0, picture.height + 6));
  const height = Math.ceil(picture.height + note.height + 8);
  const description = `${picture.description} ${sentences.join(' ')}`;
  return { ...scene, picture: { ...picture, height, description, marks: [...picture.marks, ...noteMarks] } };
}
