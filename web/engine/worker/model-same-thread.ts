// The same for a model.

import phasorModel from '#glue-model';
import { sameThreadOf } from './same-thread-port.ts';

export const sameThread = sameThreadOf({ 'phasor-model': phasorModel });
