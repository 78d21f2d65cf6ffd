// Runs in a worker: one diagnosis, with a separate engine.

import phasor from '#glue';
import phasorNn from '#glue-nn';
import { directPhasor } from './call/direct.ts';
import { diagnoseWith } from './doctor/diagnose.ts';
import { PhasorError } from './errors.ts';
import type { DoctorReply, ToDoctor } from './worker/messages.ts';

declare const self: { postMessage(message: DoctorReply): void };

/** Each WebAssembly file with the glue that Emscripten has written for it. */
const GLUE = { phasor, 'phasor-nn': phasorNn };

async function respond({ compiled, request }: ToDoctor): Promise<DoctorReply> {
  try {
    return { kind: 'report', report: diagnoseWith(await directPhasor(compiled, GLUE[compiled.program]), request) };
  } catch (thrown) {
    const { code, message, argument, value, allowed } = PhasorError.from(thrown);
    return { kind: 'failure', code, message, about: { argument, value, allowed } };
  }
}

addEventListener('message', (event) => void respond(event.data as ToDoctor).then((reply) => self.postMessage(reply)));
