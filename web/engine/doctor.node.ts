// phasor/doctor for Node; its declarations are those of doctor.ts.

import { doctorWith } from './doctor/diagnose.ts';
import { createPhasor } from './node.ts';

/** Names the convention of position that explains a dump, or says that none does. */
export const diagnose = doctorWith(createPhasor);
