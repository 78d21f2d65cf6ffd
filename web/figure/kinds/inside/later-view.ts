// The interface of the figure's views other than attention weights. They are loaded on demand, because most figures do not show them.
import type { Frame, Scene } from '../../../charts/scene.ts';
import type { Cursor, DataTable, Proof } from '../../contract/kind.ts';
import type { Spec } from './index.ts';

export interface LazyView<Results> {
  scene(results: Results, spec: Spec, frame: Frame): Scene;
  readout(results: Results, spec: Spec, cursor: Cursor): string;
  proof(results: Results): Proof;
  tables(results: Results): readonly DataTable[];
}
