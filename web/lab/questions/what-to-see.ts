// What to look for in a large figure, as its kind says it.
import type { EncodingInfo } from '../../engine/index.ts';
import type { LabPlace, Setting } from '../../figure/contract/lab-place.ts';
import { nounOf } from '../nouns.ts';

export const whatToSee = (place: LabPlace, encoding: EncodingInfo, setting: Setting): string =>
  place.see({ noun: nounOf(encoding.id), encoding, setting });
