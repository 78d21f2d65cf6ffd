import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 1,
  title: 'Table',
  needs: 'table',
  see: ({ noun }) => `Each row is the vector that is added to the word at that position: ${noun}. No two rows should be the same.`,
};
