// What a parameter of an encoding means, as a sentence at its control. In phasor/figure it is known a little later than the first picture
// (web/package/later-programs.ts takes the place of this module); elsewhere the engine says it from the beginning.
import type { ParamInfo } from '../../engine/index.ts';

/** To be called where signals are followed. */
export const parameterHelp = (_encoding: string, { summary }: ParamInfo): string => summary;
