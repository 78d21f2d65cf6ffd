export const strings = {
  question: 'Does attention depend on the positions of patches?',
  instruction: 'Point at a patch to make it the query.',
  caption:
    'The patches of a photograph are the tokens of a vision transformer. The pictures show the layer’s input, the chosen patch’s attention, and how much each patch’s output differs from its output for the original photograph.',
  labels: {
    arrangement: 'arrangement',
    picture: 'picture',
    patch: 'patch size',
    chosen: 'chosen patch',
    partner: 'swapped with',
  },
  help: {
    arrangement: 'Patches shuffled with the seed, two patches swapped, or the original order.',
    picture: 'The photograph to divide into patches.',
    patch: 'Side length of a patch, in pixels.',
    chosen: 'Index of the patch whose attention is shown, counted row by row from 0. It is also the first swapped patch.',
    partner: 'Index of the second swapped patch, counted row by row from 0.',
  },
  imageTitle: (arrangement: 'shuffled' | 'swapped' | 'original') =>
    ({ shuffled: 'The patches, shuffled', swapped: 'The patches, two swapped', original: 'The patches in order' })[arrangement],
  imageDescription: (picture: string, side: number) =>
    ({
      astronaut: `Portrait of an astronaut in ${side} × ${side} patches.`,
      camera: `A man with a camera on a tripod in ${side} × ${side} patches.`,
    })[picture] ?? '',
  imageNote: (pixels: number, channels: number) =>
    `Each patch is ${pixels} × ${pixels} pixels, ${channels} values. Point at a patch to see its attention.`,
  attentionTitle: (name: string) => `Attention from ${name}`,
  differencesTitle: 'Output difference',
  noMoveTitle: 'Outputs: no patch has moved',
  weight: 'weight',
  difference: 'difference',
  patchLocation: (row: number, column: number) => `row ${row}, column ${column}`,
  weightsReadout: (name: string, weights: string) => `The attention weights of the patch at ${name} are ${weights}`,
  equalOutputs: (sentence: string) => `${sentence}; the outputs equal those for the original photograph, up to rounding`,
  differentOutputs: (sentence: string, maxDifference: string) =>
    `${sentence}; outputs differ from those for the original photograph by up to ${maxDifference}`,
  patchReadout: (name: string, originalName: string, difference: string, maxOutput: string) =>
    `The output of the patch at ${name} (${originalName} in the photograph) differs by ${difference}; the largest output is ${maxOutput}`,
  weightReadout: (query: string, key: string, weight: string) =>
    `The patch at ${query} attends to the patch at ${key} with weight ${weight}`,
  outOfRange: (provided: number, side: number) => `${provided} is not the index of a patch; expected 0 to ${side * side - 1}`,
  samePatch: 'is the chosen patch; expected another patch',
  patchTitle: 'patch',
  channelTitle: 'channel',
  tables: {
    weights: 'attention weights of the selected head, patches by position',
    differences: 'largest difference in each patch’s output, by position',
    before: 'outputs for the original photograph',
    after: 'outputs for the displayed order, by position',
    order: 'the index of the patch at each position, row by row from 0',
    embeddings: 'embeddings: the patches of the photograph',
  },
  proof: {
    quantity: 'largest difference in any output between the two orders (outputs matched by patch)',
    toleranceSource: 'Float32 rounding in sums over patches and channels, relative to the largest output.',
    shownOrder: {
      passes: 'Each patch’s output is unchanged and moves with the patch: attention does not depend on the order of the patches.',
      fails: 'The outputs have changed: with this encoding, attention depends on the order of the patches.',
    },
    testOrder: {
      passes: 'If the patches were shuffled, their outputs would be unchanged: attention does not depend on the order of the patches.',
      fails: 'If the patches were shuffled, their outputs would change: with this encoding, attention depends on the order of the patches.',
    },
  },
} as const;
