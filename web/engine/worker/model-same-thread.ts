// The fallback of a model if no worker can be started.

import phasorModel from '#glue-model';
import { sameThreadOf } from './same-thread-port.ts';

export const sameThread = sameThreadOf({ 'phasor-model': phasorModel });
