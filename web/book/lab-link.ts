// Links from the book's figures to the Lab.
import type { Params } from '../engine/index.ts';
import type { FieldTable } from '../figure/contract/fields.ts';
import { printSpec, type readSpec } from '../figure/contract/spec.ts';
import { SHARED_FIELDS } from '../figure/runtime/link-group.ts';
import { QUESTIONS, type Question } from '../lab/questions/questions.ts';
import { printLink } from '../lab/state/link.ts';
import { INITIAL_STATE, type LabState } from '../lab/state/state.ts';
import { VECTOR_DIM } from '../sentence/word-vectors.ts';

interface LinkedKind {
  readonly id: string;
  readonly fields: FieldTable;
  readonly unlinkedFields?: readonly string[];
}
type Spec = ReturnType<typeof readSpec<FieldTable>>;
type SharedState = Pick<LabState, 'text' | 'order' | 'mask' | 'heads' | 'projections' | 'seed' | 'positionOffset' | 'dim'>;

const LAB_TOP_KIND = 'sentence';

export const isInLab = (id: string, questions: readonly Question[] = QUESTIONS): boolean =>
  id === LAB_TOP_KIND || questions.some(({ views }) => views.some(({ kind }) => kind === id));

/** Returns the Lab's model settings for the figure's head count and channels per head, or undefined if the model would be too wide. */
function toLabModel({ heads = 1, dim }: Spec): Partial<LabState> | undefined {
  const embedDim = Number(heads) * Number(dim);
  return embedDim <= VECTOR_DIM ? { heads: Number(heads), dim: embedDim } : undefined;
}

/**
 * Returns the URL fragment that opens this figure in the Lab: '#v=3&encoding=rope&question=scores&view=rotation'. Fields shared by all Lab figures
 * become Lab state; the others remain fields of the figure.
 */
export function createLabLink(kind: LinkedKind, spec: Spec, questions: readonly Question[] = QUESTIONS): string {
  const question = questions.find(({ views }) => views.some((view) => view.kind === kind.id));
  const view = question?.views.find((candidate) => candidate.kind === kind.id);
  const unsharedFields = [...(view?.width ? ['dim'] : []), ...(kind.unlinkedFields ?? [])];
  const sharedNames = SHARED_FIELDS.filter((name) => Object.hasOwn(spec, name) && !unsharedFields.includes(name));
  const state: Record<string, unknown> = {};
  for (const name of sharedNames) {
    const value = spec[name];
    if (name === 'encoding') {
      const { id, ...params } = value as { readonly id: string } & Params;
      Object.assign(state, { encoding: id, params });
    } else if (name === 'head') state.head = Number(value) - 1;
    else state[name satisfies string as keyof SharedState] = value;
  }
  const model = view?.width === 'head' ? toLabModel(spec) : undefined;
  Object.assign(state, model);
  const fields = Object.entries(printSpec(kind, spec)).filter(([name]) => !sharedNames.includes(name) && !(model && name === 'dim'));
  const figures = question ? Object.fromEntries(fields.map(([name, text]) => [`${kind.id}.${name}`, text])) : {};
  const viewState = question ? { question: question.id, view: kind.id } : {};
  return printLink({ ...INITIAL_STATE, ...(state as Partial<LabState>), ...viewState, figures });
}
