// phasor/doctor for Node, with the same declarations as doctor.ts.

import { createDiagnose } from './doctor/diagnose.ts';
import { createPhasor } from './node.ts';

/** Finds the positional convention that explains a dump. */
export const diagnose = createDiagnose(createPhasor);
