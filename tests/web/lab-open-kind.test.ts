// openKind: opens another view with the given fields and clears its other fields.
import { expect, it, vi } from 'vitest';
import { openKind } from '../../web/lab/page/open-kind.ts';
import { change, state } from '../../web/lab/state/store.ts';

vi.stubGlobal('document', { getElementById: () => null });

it('openKind shows the view of a kind with only the given fields', () => {
  change({ question: 'scores', figures: { 'model-attention.token': '3', 'rotation.pair': '1' } });
  openKind({ kind: 'model-attention', label: 'Look', fields: { layer: '2', head: '1' } });
  expect(state.peek()).toMatchObject({ question: 'model', view: 'model-attention' });
  expect(state.peek().figures).toEqual({ 'rotation.pair': '1', 'model-attention.layer': '2', 'model-attention.head': '1' });
  expect(() => openKind({ kind: 'circuit', label: '', fields: {} })).toThrow('kind: the Lab has no figure circuit');
});
