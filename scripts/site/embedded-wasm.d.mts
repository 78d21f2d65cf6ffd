import type { Plugin } from 'vite';

export function embeddedWasm(options?: { trains?: boolean }): Plugin;
