export const words = {
  question: 'How does each channel change with the position?',
  instruction: 'Press Play, or point at a position: one number of each channel belongs to it.',
  caption: 'Some channels of the position table, each as a curve over positions.',
  labels: { channels: 'shown channels' },
  help: { channels: 'Channel numbers, counted from 0, separated by commas.' },
  position: 'position',
  channel: 'channel',
  channelName: (channel: number) => `channel ${channel}`,
  value: 'value',
  noChannels: 'channels: at least one is needed',
  tooMany: (most: number) => `channels: at most ${most} can be shown`,
  twice: (channel: number) => `channels: ${channel} is listed twice`,
  outside: (channel: number, last: number) => `channels: ${channel} is not a whole number from 0 to ${last}`,
  range: (range: string, from: number, to: number, apart: string, count: number) =>
    count < 2
      ? `Values ${range}.`
      : `Values ${range}. By these channels alone, positions ${from} and ${to} are the most alike: ${apart} apart.`,
  cell: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  proof: {
    what: 'largest absolute value in these channels',
    source: 'A sine or a cosine is at most 1, and 1 is a float32.',
    holds: 'No channel leaves the range from −1 to 1.',
    amber: 'Values leave the range from −1 to 1: large ones drown the embeddings that they are added to.',
  },
} as const;
