// Importing this gives Node relaxed SIMD, which version 20 has behind a flag of V8; for this process and the workers that it starts.
import { setFlagsFromString } from 'node:v8';
import { hasRelaxedSimd } from '../../web/engine/load/simd.ts';

if (!hasRelaxedSimd()) setFlagsFromString('--experimental-wasm-relaxed-simd');
if (!hasRelaxedSimd()) throw new Error('this Node has no relaxed SIMD');
