// Rewrites the register blocks of the matrix product (cpp/wasm/fused.cpp) for relaxed SIMD: each `sum = sum + a * b` becomes one fused multiply-add.
// Compilers before LLVM 17 write the instruction with the number that it had in a draft; Binaryen, pinned in package-lock.json, writes the number of
// the standard, whichever compiler made the module (docs/decisions/0010-fused-multiply-add.md).
import binaryen from 'binaryen';

/** @typedef {number} Expression a reference to an expression of Binaryen's IR, or 0 for none */
/** @typedef {InstanceType<typeof binaryen.Module>} Module */
/** @typedef {import('binaryen').default.BlockInfo & import('binaryen').default.LoopInfo & import('binaryen').default.IfInfo} Statement */

/** The exported functions, in the order of `RegisterBlocks` (cpp/src/kernels/register_blocks.h). */
const BLOCKS = ['set_1_row', 'set_2_rows', 'add_1_row', 'add_2_rows'];

// Binaryen documents its expression wrappers, but declares no types for them.
/** @type {{ LocalSet: { setValue(set: Expression, value: Expression): void }, SIMDTernary: { setOp(ternary: Expression, operation: number): void } }} */
const { LocalSet, SIMDTernary } = /** @type {any} */ (binaryen);

/**
 * The operands of a binary operation; undefined for other expressions.
 * @param {Expression} expression
 * @param {number} operation
 * @returns {[left: Expression, right: Expression] | undefined}
 */
function operandsOf(expression, operation) {
  if (binaryen.getExpressionId(expression) !== binaryen.BinaryId) return undefined;
  const { op, left, right } = /** @type {import('binaryen').default.BinaryInfo} */ (binaryen.getExpressionInfo(expression));
  return op === operation ? [left, right] : undefined;
}

/**
 * @param {Module} module
 * @param {Expression} set an assignment to a local
 * @returns {boolean} whether it was `sum = sum + a * b`, and is now fused
 */
function fuse(module, set) {
  const { index, value } = /** @type {import('binaryen').default.LocalSetInfo} */ (binaryen.getExpressionInfo(set));
  const [left = 0, right = 0] = operandsOf(value, binaryen.AddVecF32x4) ?? [];
  if (left === 0) return false;
  /** @type {[sum: Expression, product: Expression][]} */
  const orders = [
    [left, right],
    [right, left],
  ];
  for (const [sum, product] of orders) {
    const factors = operandsOf(product, binaryen.MulVecF32x4);
    if (!factors || binaryen.getExpressionId(sum) !== binaryen.LocalGetId) continue;
    const read = /** @type {import('binaryen').default.LocalGetInfo} */ (binaryen.getExpressionInfo(sum));
    if (read.index !== index) continue;
    const fused = module.v128.bitselect(...factors, sum);
    SIMDTernary.setOp(fused, binaryen.RelaxedMaddVecF32x4);
    LocalSet.setValue(set, fused);
    return true;
  }
  return false;
}

/**
 * @param {Module} module
 * @param {Expression} statement
 * @returns {number} the number of fused sums
 */
function fuseAll(module, statement) {
  const kind = statement === 0 ? undefined : binaryen.getExpressionId(statement);
  if (kind === binaryen.LocalSetId) return fuse(module, statement) ? 1 : 0;
  if (kind !== binaryen.BlockId && kind !== binaryen.LoopId && kind !== binaryen.IfId) return 0;
  const { children = [], body = 0, ifTrue = 0, ifFalse = 0 } = /** @type {Partial<Statement>} */ (binaryen.getExpressionInfo(statement));
  return [...children, body, ifTrue, ifFalse].reduce((count, inner) => count + fuseAll(module, inner), 0);
}

/**
 * @param {Uint8Array} bytes of the linked module
 * @returns {Uint8Array} a module that imports `env.memory` and exports the blocks
 */
export function fusedKernels(bytes) {
  const module = binaryen.readBinary(bytes);
  try {
    module.setFeatures(binaryen.Features.MutableGlobals | binaryen.Features.SIMD128 | binaryen.Features.RelaxedSIMD);
    const found = Array.from({ length: module.getNumExports() }, (_, at) => binaryen.getExportInfo(module.getExportByIndex(at)));
    for (const { name } of found) if (!BLOCKS.includes(name)) module.removeExport(name);
    for (const block of BLOCKS) {
      const value = found.find(({ name }) => name === block)?.value;
      if (!value) throw new Error(`fused-kernels.wasm: ${block} is not exported; expected ${BLOCKS.join(', ')}`);
      const { body } = binaryen.getFunctionInfo(module.getFunction(value));
      if (fuseAll(module, body) === 0)
        throw new Error(`fused-kernels.wasm: ${block} has no sum of a product; expected one for each register`);
    }
    module.runPasses(['remove-unused-module-elements']);
    if (!module.validate()) throw new Error('fused-kernels.wasm: the rewritten module is not valid');
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}
