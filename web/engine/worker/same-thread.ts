import phasor from '#glue';
import phasorNn from '#glue-nn';
import { createSameThreadOpener } from './same-thread-port.ts';

export const sameThread = createSameThreadOpener({ phasor, 'phasor-nn': phasorNn });
