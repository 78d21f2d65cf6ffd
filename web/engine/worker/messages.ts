// Messages between the page and a worker. Replies arrive in the order of the requests, so messages need no ids.

import type { EngineInfo } from '../call/engine.ts';
import type { RawMethod } from '../call/methods.ts';
import type { Report } from '../doctor/report.ts';
import type { DiagnoseRequest } from '../doctor/requests.ts';
import type { ErrorCode, ErrorDetails } from '../errors.ts';
import type { CompiledModule } from '../load/compile.ts';
import type { FlatRequest } from '../request/flat-request.ts';

export type WorkerRequest =
  | { readonly kind: 'start'; readonly compiled: CompiledModule }
  | { readonly kind: 'call'; readonly method: RawMethod; readonly request: FlatRequest };

/** The value in the reply to `start` is an EngineInfo. */
export type WorkerReply =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };

export interface DoctorRequest {
  readonly compiled: CompiledModule;
  readonly request: DiagnoseRequest;
}
export type DoctorReply =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string; readonly about: ErrorDetails };

export type { EngineInfo };

/** Returns the transfer list for a message: the buffers of all its arrays, without duplicates. */
export function listBuffers(value: unknown): ArrayBuffer[] {
  const bufferSet = new Set<ArrayBuffer>();
  const collectBuffers = (nestedValue: unknown): void => {
    if (typeof nestedValue !== 'object' || nestedValue === null) return;
    if (!ArrayBuffer.isView(nestedValue)) Object.values(nestedValue).forEach(collectBuffers);
    else if (nestedValue.buffer instanceof ArrayBuffer) bufferSet.add(nestedValue.buffer);
  };
  collectBuffers(value);
  return [...bufferSet];
}
