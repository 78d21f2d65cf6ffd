import type { OutputChunk } from 'rolldown';
import type { Plugin } from 'vite';

export function workerFile(): Promise<OutputChunk>;
export function workerSource(): Promise<string>;
export function workerSourcePlugin(): Plugin;
export function ownWasm(): Plugin;
