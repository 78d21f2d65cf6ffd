// phasor/doctor for Node. Same declarations as doctor.ts.

import { createDiagnose } from './doctor/diagnose.ts';
import { createPhasor } from './node.ts';

/** Identifies which positional convention produced the given tensors. */
export const diagnose = createDiagnose(createPhasor);
