// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { Rotation } from '../../compute/rotation.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import { rotationCode } from '../../export/rotation-code.ts';
import type { Spec } from './fields.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], rotation?: Rotation): SourceCode {
  return rotationCode(
    { ...spec, encoding: usedEncoding(spec.encoding, encodings) },
    encodings,
    rotation && [rotation.query.own, rotation.key.own],
  );
}
