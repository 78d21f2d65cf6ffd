// In phasor/figure, in the place of web/figure/files/dropped-matrix.ts: who takes a file is in the other file, and so is what it asks of it.
import type { droppedTable as tableOf } from '../figure/files/dropped-matrix.ts';
import type * as Programs from './figure-programs.ts';
import { loadedPrograms } from './later-programs.ts';

export const droppedTable: typeof tableOf = (file) => (loadedPrograms() as typeof Programs).droppedTable(file);
