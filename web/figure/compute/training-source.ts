// Sentences that say whether training curves were recorded or trained in the page, and pictures with these sentences below.
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
  /** Approximate training time on this device, in seconds; undefined while unknown. */
  readonly estimatedSeconds?: number | undefined;
  readonly isHidden: boolean;
  /** Whether only one worker runs at a time. */
  readonly isSequential: boolean;
}

/** Whether a figure can train on this page, and whether it is training. */
interface RunState {
  readonly origin: CurveSource['origin'];
  readonly canTrain: boolean;
  readonly isRunning: boolean;
}

/** The sentence about the source of the curves. @param doneSteps the number of steps that every line has completed */
export function formatSource({ origin, seeds, total, estimatedSeconds, isHidden, isSequential }: CurveSource, doneSteps: number): string {
  if (origin === 'recorded') return TRAINING_STRINGS.recorded(seeds);
  const liveText = TRAINING_STRINGS.live(seeds, doneSteps, total, isSequential, doneSteps < total ? estimatedSeconds : undefined);
  return isHidden ? `${liveText}. ${TRAINING_STRINGS.hidden}` : liveText;
}

/** A comment about the source in an exported program. For a recording, it contains the command that repeats the training. */
export const formatSourceComment = ({ origin, command }: Pick<CurveSource, 'origin' | 'command'>, source: string): string =>
  `# ${source}${origin === 'recorded' ? `: ${command}` : ''}`;

/** Adds the reason why only recorded models are shown, on a page that lacks the training text. Exported pictures omit the reason. */
export const withMissingTextReason = (message: string, lacksText: boolean): string =>
  lacksText ? `${message}. ${TRAINING_STRINGS.lacksNovel}` : message;

/** Adds the note that training uses all cores and can be stopped, before and during long training. */
export const withLoadNote = (sentence: string, { canTrain, isRunning, origin }: RunState, budget: string): string =>
  budget === '60' && canTrain && (isRunning || origin === 'recorded') ? `${sentence}. ${TRAINING_STRINGS.battery}` : sentence;

/** A scene with sentences below it, within the available height. */
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
