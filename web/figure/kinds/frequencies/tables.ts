import type { AnyKind } from '../../contract/registry.ts';
import type { Results } from './index.ts';
import { strings } from './strings.ts';

export function createTables({ scaledFrequencies, trainedAngles, axes }: Results): ReturnType<NonNullable<AnyKind['tables']>> {
  const columns = trainedAngles.length;
  const table = (name: 'inv_freq' | 'wavelengths' | 'reached', of: 'invFreq' | 'wavelengths' | 'finalAngles') => {
    const data = new Float32Array(scaledFrequencies.length * columns);
    scaledFrequencies.forEach((scaled, row) => {
      data.set(scaled[of], row * columns);
    });
    return {
      name,
      title: strings.tables[name],
      tensor: { shape: [scaledFrequencies.length, columns], data },
      rowTitle: strings.method,
      columnTitle: strings.pair,
      rows: scaledFrequencies.map(({ scaling }) => strings.scaling(scaling)),
    };
  };
  const pairTable = (name: 'trained' | 'axis', data: Float32Array) => ({
    name,
    title: strings.tables[name],
    tensor: { shape: [columns], data },
    rowTitle: strings.pair,
    columnTitle: strings.value,
  });
  return [
    table('inv_freq', 'invFreq'),
    table('wavelengths', 'wavelengths'),
    table('reached', 'finalAngles'),
    pairTable('trained', trainedAngles),
    ...(axes ? [pairTable('axis', Float32Array.from(axes))] : []),
  ];
}
