export const wasmFolder: string;
export const WASM_FILES: readonly string[];
export function isWasmCurrent(): boolean;
export function buildWasm(): Promise<void>;
