// Rewrites the register blocks of the matrix product (cpp/wasm/fused.cpp) for relaxed SIMD: each `sum + a * b` becomes one fused multiply-add.
// Compilers before LLVM 17 write the instruction with the number that it had in a draft; Binaryen, pinned in package-lock.json, writes the
// number of the standard whichever compiler made the module (docs/decisions/0010-fused-multiply-add.md).
import binaryen from 'binaryen';

/** The functions of the module, in the order of `RegisterBlocks` (cpp/src/kernels/register_blocks.h). */
export const BLOCKS = ['set_1_row', 'set_2_rows', 'add_1_row', 'add_2_rows'];

const { Block, If, Loop, LocalSet, LocalGet, Binary, SIMDTernary, ExpressionIds, Operations, Features } = binaryen;
const id = binaryen.getExpressionId;
/** @typedef {import('binaryen').ExpressionRef} Expression */

/** @param {Expression} expression @returns {boolean} whether it is a product of two vectors of floats */
const isProduct = (expression) => id(expression) === ExpressionIds.Binary && Binary.getOp(expression) === Operations.MulVecF32x4;

/**
 * @param {import('binaryen').Module} module
 * @param {Expression} set an assignment
 * @returns {boolean} whether it was `sum = sum + a * b`, and is now fused
 */
function fuse(module, set) {
  const sum = LocalSet.getValue(set);
  if (id(sum) !== ExpressionIds.Binary || Binary.getOp(sum) !== Operations.AddVecF32x4) return false;
  const [left, right] = [Binary.getLeft(sum), Binary.getRight(sum)];
  const [total, product] = isProduct(right) ? [left, right] : [right, left];
  if (!isProduct(product) || id(total) !== ExpressionIds.LocalGet || LocalGet.getIndex(total) !== LocalSet.getIndex(set)) return false;
  const fused = module.v128.bitselect(Binary.getLeft(product), Binary.getRight(product), total);
  SIMDTernary.setOp(fused, Operations.RelaxedMaddVecF32x4);
  LocalSet.setValue(set, fused);
  return true;
}

/**
 * @param {import('binaryen').Module} module
 * @param {Expression} expression a statement; 0 is none
 * @returns {number} how many sums in it were fused
 */
function fuseAll(module, expression) {
  if (expression === 0) return 0;
  switch (id(expression)) {
    case ExpressionIds.Block:
      return Block.getChildren(expression).reduce((count, child) => count + fuseAll(module, child), 0);
    case ExpressionIds.Loop:
      return fuseAll(module, Loop.getBody(expression));
    case ExpressionIds.If:
      return fuseAll(module, If.getIfTrue(expression)) + fuseAll(module, If.getIfFalse(expression));
    case ExpressionIds.LocalSet:
      return fuse(module, expression) ? 1 : 0;
    default:
      return 0;
  }
}

/**
 * @param {Uint8Array} bytes of the linked module
 * @returns {Uint8Array} a module that imports `env.memory` and exports the blocks
 */
export function fusedKernels(bytes) {
  const module = binaryen.readBinary(bytes);
  try {
    module.setFeatures(Features.MutableGlobals | Features.SIMD128 | Features.RelaxedSIMD);
    const names = Array.from({ length: module.getNumExports() }, (_, at) => binaryen.getExportInfo(module.getExportByIndex(at)));
    for (const { name } of names) if (!BLOCKS.includes(name)) module.removeExport(name);
    for (const block of BLOCKS) {
      const found = names.find(({ name }) => name === block);
      if (!found) throw new Error(`fused-kernels.wasm: the export ${block} is missing; expected ${BLOCKS.join(', ')}`);
      const { body } = binaryen.getFunctionInfo(module.getFunction(found.value));
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
