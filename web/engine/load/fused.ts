// Fused multiply-adds: the SIMD file carries its innermost loops once more, as a module for engines with relaxed SIMD.

const SECTION = 'fused';

// `local.get 0; local.get 0; local.get 0; f32x4.relaxed_madd; drop`, with the number that the instruction has since relaxed SIMD is part of the standard.
const relaxedProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 16, 1, 14, 1, 1, 123, 32, 0, 32, 0, 32, 0, 253, 133, 2, 26, 11,
]);

export const hasRelaxedSimd = () => WebAssembly.validate(relaxedProbe);

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
