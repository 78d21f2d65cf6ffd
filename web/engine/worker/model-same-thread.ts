// The fallback if no worker can be started: a model on the calling thread.

import phasorModel from '#glue-model';
import { sameThreadOf } from './same-thread-port.ts';

export const sameThread = sameThreadOf({ 'phasor-model': phasorModel });
