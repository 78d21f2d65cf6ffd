// Runs a model on the calling thread if no worker can be started.

import phasorModel from '#glue-model';
import { createSameThreadOpener } from './same-thread-port.ts';

export const sameThread = createSameThreadOpener({ 'phasor-model': phasorModel });
