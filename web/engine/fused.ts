// Fused multiply-adds: the SIMD file carries its innermost loops once more, as a module for engines with relaxed SIMD.

const SECTION = 'fused';

/**
 * Puts the fused loops of the file in the place of its own, in this instance.
 * @returns false where the file has none or this engine does not take them, and then nothing has changed
 */
export function fuse(module: WebAssembly.Module, { exports }: WebAssembly.Instance): boolean {
  const [bytes] = WebAssembly.Module.customSections(module, SECTION);
  const exported = Object.values(exports);
  const [m, t] = [WebAssembly.Memory, WebAssembly.Table].map((type) => exported.find((value) => value instanceof type));
  if (!(bytes && m && t)) return false;
  try {
    // It writes its functions over entries of the table, or ends before that. A kilobyte may be compiled at once everywhere.
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { m, t } });
    return true;
  } catch {
    return false;
  }
}
