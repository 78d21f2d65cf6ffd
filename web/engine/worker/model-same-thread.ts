// The fallback if no worker can be started: a model on the calling thread.

import phasorModel from '#glue-model';
import { createSameThreadOpener } from './same-thread-port.ts';

export const sameThread = createSameThreadOpener({ 'phasor-model': phasorModel });
