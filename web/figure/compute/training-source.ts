// Where curves of training are from: a sentence, and a picture with it below.
import { movedMark } from '../../charts/compose.ts';
import type { Frame, Scene } from '../../charts/scene.ts';
import { LABEL } from '../../charts/text-metrics.ts';
import { wrappedText } from '../../charts/wrapped-text.ts';
import { TRAINING } from './training-strings.ts';

export interface Source {
  readonly origin: 'recorded' | 'live';
  readonly command: string;
  readonly seeds: readonly number[];
  /** Steps of the whole training. */
  readonly total: number;
  /** How long a training here takes, s, about; undefined while that is not known. */
  readonly seconds?: number | undefined;
  readonly isHidden: boolean;
  /** One worker at a time. */
  readonly isOne: boolean;
}

/** Whether a figure trains here, or may. */
interface Run {
  readonly origin: Source['origin'];
  readonly canTrain: boolean;
  readonly isRunning: boolean;
}

/** @param done the last step that every line has made */
export function sourceText({ origin, command, seeds, total, seconds, isHidden, isOne }: Source, done: number): string {
  if (origin === 'recorded') return TRAINING.recorded(command, seeds);
  const text = TRAINING.live(seeds, done, total, isOne, done < total ? seconds : undefined);
  return isHidden ? `${text}. ${TRAINING.hidden}` : text;
}

/**
 * What is said below a picture of recorded models of a novel, where the page trains but does not have that novel. It is about the page, so it is not in
 * the picture, which is the same in a file.
 */
export const withReason = (said: string, isLacking: boolean): string => (isLacking ? `${said}. ${TRAINING.lacksNovel}` : said);

/** The same where a reader has asked for a training that is so long that a device without a plug should know of it first. */
export const withWarning = (said: string, { canTrain, isRunning, origin }: Run, budget: string): string =>
  budget === '60' && canTrain && (isRunning || origin === 'recorded') ? `${said}. ${TRAINING.battery}` : said;

/** A scene with sentences below it, within the height that there is. */
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
