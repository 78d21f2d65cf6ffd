export const strings = {
  question: 'How does each channel change with the position?',
  instruction: 'Press Play, or point at a position to read its value in each channel.',
  caption: 'Some channels of the position table, each as a curve over positions.',
  labels: { channels: 'shown channels' },
  help: { channels: 'Channel numbers, counted from 0, separated by commas.' },
  position: 'position',
  channel: 'channel',
  channelName: (channel: number) => `channel ${channel}`,
  value: 'value',
  noChannels: 'channels: the list is empty; expected at least one channel',
  tooManyChannels: (limit: number) => `channels: too many channels; expected at most ${limit}`,
  duplicateChannel: (channel: number) => `channels: ${channel} is listed twice; expected each channel once`,
  channelOutOfRange: (channel: number, maxChannel: number) => `channels: ${channel} is not a whole number from 0 to ${maxChannel}`,
  rangeReadout: (valueRange: string, from: number, to: number, distance: string, rowCount: number) =>
    rowCount < 2
      ? `Values ${valueRange}.`
      : `Values ${valueRange}. In these channels alone, positions ${from} and ${to} are the closest: ${distance} apart.`,
  cellReadout: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  proof: {
    quantity: 'largest absolute value in these channels',
    toleranceSource: 'The absolute value of a sine or a cosine is at most 1, and 1 is exact in float32.',
    passes: 'No channel leaves the range from −1 to 1.',
    fails: 'Values leave the range from −1 to 1: large values dominate the embeddings to which they are added.',
  },
} as const;
