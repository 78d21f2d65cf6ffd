// The source of training curves: a sentence about it, and a picture with the sentence below.
import { movedMark } from '../../charts/compose.ts';
import type { Frame, Scene } from '../../charts/scene.ts';
import { LABEL } from '../../charts/text-metrics.ts';
import { wrappedText } from '../../charts/wrapped-text.ts';
import { TRAINING } from './training-strings.ts';

export interface Source {
  readonly origin: 'recorded' | 'live';
  readonly command: string;
  readonly seeds: readonly number[];
  /** Total number of training steps. */
  readonly total: number;
  /** Approximate training time on this device, in seconds; undefined while unknown. */
  readonly seconds?: number | undefined;
  readonly isHidden: boolean;
  /** Whether only one worker runs at a time. */
  readonly isSequential: boolean;
}

/** Whether a figure can train on this page, and whether it is training. */
interface Run {
  readonly origin: Source['origin'];
  readonly canTrain: boolean;
  readonly isRunning: boolean;
}

/** @param done the last step that every line has reached */
export function sourceText({ origin, seeds, total, seconds, isHidden, isSequential }: Source, done: number): string {
  if (origin === 'recorded') return TRAINING.recorded(seeds);
  const text = TRAINING.live(seeds, done, total, isSequential, done < total ? seconds : undefined);
  return isHidden ? `${text}. ${TRAINING.hidden}` : text;
}

/** The source as a comment for an exported program, with the command of a recording. */
export const sourceComment = ({ origin, command }: Pick<Source, 'origin' | 'command'>, source: string): string =>
  `# ${source}${origin === 'recorded' ? `: ${command}` : ''}`;

/**
 * The sentence below a picture of recorded models of a novel, on a page that can train but does not include the novel. The sentence is about the
 * page, so exported pictures omit it.
 */
export const withReason = (message: string, isLacking: boolean): string => (isLacking ? `${message}. ${TRAINING.lacksNovel}` : message);

/** The warning before a long training on battery power. */
export const withWarning = (sentence: string, { canTrain, isRunning, origin }: Run, budget: string): string =>
  budget === '60' && canTrain && (isRunning || origin === 'recorded') ? `${sentence}. ${TRAINING.battery}` : sentence;

/** A scene with sentences below it, within the available height. */
export function withNote(sentences: readonly string[], frame: Frame, sceneOf: (frame: Frame) => Scene): Scene {
  const note = wrappedText(sentences, frame.width - 8, LABEL, 'muted');
  const maxHeight = frame.maxHeight === undefined ? undefined : frame.maxHeight - note.height - 8;
  const scene = sceneOf({ ...frame, maxHeight });
  const { picture } = scene;
  const marks = note.marks.map((mark) => movedMark(mark, 0, picture.height + 6));
  const height = Math.ceil(picture.height + note.height + 8);
  const description = `${picture.description} ${sentences.join(' ')}`;
  return { ...scene, picture: { ...picture, height, description, marks: [...picture.marks, ...marks] } };
}
