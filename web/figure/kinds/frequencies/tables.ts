import type { AnyKind } from '../../contract/registry.ts';
import type { Results } from './index.ts';
import { strings } from './strings.ts';

export function createTables({ scaledFrequencies, trainedAngles, axes }: Results): ReturnType<NonNullable<AnyKind['tables']>> {
  const pairCount = trainedAngles.length;
  const createTable = (name: 'inv_freq' | 'wavelengths' | 'reached', property: 'invFreq' | 'wavelengths' | 'finalAngles') => {
    const data = new Float32Array(scaledFrequencies.length * pairCount);
    scaledFrequencies.forEach((scaled, row) => {
      data.set(scaled[property], row * pairCount);
    });
    return {
      name,
      title: strings.tables[name],
      tensor: { shape: [scaledFrequencies.length, pairCount], data },
      rowTitle: strings.scalingTitle,
      columnTitle: strings.pairTitle,
      rows: scaledFrequencies.map(({ scaling }) => strings.scalingName(scaling)),
    };
  };
  const createPairTable = (name: 'trained' | 'axis', data: Float32Array) => ({
    name,
    title: strings.tables[name],
    tensor: { shape: [pairCount], data },
    rowTitle: strings.pairTitle,
    columnTitle: strings.valueTitle,
  });
  return [
    createTable('inv_freq', 'invFreq'),
    createTable('wavelengths', 'wavelengths'),
    createTable('reached', 'finalAngles'),
    createPairTable('trained', trainedAngles),
    ...(axes ? [createPairTable('axis', Float32Array.from(axes))] : []),
  ];
}
