// phasor/doctor for Node; its declarations are those of doctor.ts.

import { doctorWith } from './doctor/diagnose.ts';
import { createPhasor } from './node.ts';

/** Finds the positional convention that explains a dump. */
export const diagnose = doctorWith(createPhasor);
