// Worker script that runs one diagnosis with a new engine.

import phasorNn from '#glue-nn';
import { createDirectPhasor } from './call/direct.ts';
import { diagnoseWith } from './doctor/diagnose.ts';
import { PhasorError } from './errors.ts';
import type { DoctorReply, DoctorRequest } from './worker/messages.ts';

declare const self: { postMessage(message: DoctorReply): void };

async function respond({ compiled, request }: DoctorRequest): Promise<DoctorReply> {
  try {
    // Single-file pages with training contain only phasor-nn.wasm.
    const phasor = await createDirectPhasor(compiled, compiled.program === 'phasor-nn' ? phasorNn : undefined);
    return { kind: 'report', report: diagnoseWith(phasor, request) };
  } catch (thrown) {
    const { code, message, argument, value, allowed } = PhasorError.from(thrown);
    return { kind: 'failure', code, message, about: { argument, value, allowed } };
  }
}

addEventListener('message', (event) => void respond(event.data as DoctorRequest).then((reply) => self.postMessage(reply)));
