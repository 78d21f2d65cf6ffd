// Groups all model families by how the core handles their positions.
import type { ConfigLayer, Phasor } from '../../engine/index.ts';
import { listAttentionClauses, writeEncodingSentence, writeLayersSentence } from '../../figure/compute/position-sentence.ts';
import { MODEL_IDS, MODELS, type ModelId } from '../../figure/kinds/layers/models.ts';
import { printLink } from '../../lab/state/link.ts';
import { INITIAL_STATE } from '../../lab/state/state.ts';
import { generatePositionProgram, type PositionedLayer, selectDistinctLayers } from './position-program.ts';
import { createLayerMarks, type LayerMark, selectDistinctMarks } from './strip.ts';

/** A row of docs/families.json. */
export interface FamilyRow {
  readonly names: readonly string[];
  readonly year: number;
  /** Model type of the language model; only for composite models, such as vision-language models. */
  readonly text?: string;
  /** The id of the first family in the table that handles positions in the same way. */
  readonly as?: string;
  /** Whether the family is an image encoder. */
  readonly images?: true;
}

export type AtlasSection = 'mixed' | 'rotation' | 'added' | 'stacks' | 'images' | 'rejected';

export interface AtlasEntry {
  readonly id: string;
  /** Model types. The first is the entry's id. */
  readonly names: readonly string[];
  /** Year of the first model type. Undefined for a composite model, because its year is not recorded. */
  readonly year: number | undefined;
  readonly section: AtlasSection;
  readonly sentence: string;
  readonly marks: readonly LayerMark[];
  /** Indices of the layers at which a new stack begins. */
  readonly breaks: readonly number[];
  /** Clauses about attention that apply to all layers. */
  readonly clauses: readonly string[];
  /** One layer for each distinct PyTorch program. */
  readonly distinct: readonly PositionedLayer[];
  /** PyTorch code for the positions (position-program.ts); empty if no layer has positions or limits attention. */
  readonly program: string;
  /** URL fragment that opens these layers in the Lab. Undefined if the core does not list the layers. */
  readonly lab: string | undefined;
  /** Published models of these types, with known config files. */
  readonly published: readonly { readonly name: string; readonly sentence: string; readonly lab: string }[];
}

/** Layer counts to try for an example config, because some model classes accept only the smaller one. */
const LAYER_COUNTS = [24, 4];
const STACK_LAYER_COUNT = 12;

const createLabFragment = (figures: Readonly<Record<string, string>>): string =>
  `#${printLink({ ...INITIAL_STATE, question: 'reach', view: 'layers', figures })}`;

const isStacked = (layers: readonly ConfigLayer[]): boolean => layers.some(({ stack }) => stack !== undefined);

interface ExampleModel {
  readonly config: object;
  readonly layers: readonly ConfigLayer[];
}

/** A config.json with the default values of its model class. */
function createExample(model_type: string, { text }: FamilyRow, phasor: Phasor): ExampleModel {
  const readExample = (count: number): ExampleModel => {
    const layerFields = { num_hidden_layers: count };
    const config = text === undefined ? { model_type, ...layerFields } : { model_type, text_config: layerFields };
    return { config, layers: phasor.layersFromConfig(config).layers };
  };
  let firstError: unknown;
  for (const count of LAYER_COUNTS) {
    try {
      const reading = readExample(count);
      return isStacked(reading.layers) ? readExample(STACK_LAYER_COUNT) : reading;
    } catch (thrown) {
      firstError ??= thrown;
    }
  }
  throw firstError;
}

/** Returns a sentence with the core's reason for rejecting a model type, without the type's name. */
const formatRejection = (thrown: unknown): string => {
  const reason = (thrown instanceof Error ? thrown.message : String(thrown)).replace(/^[^:]+: "[^"]*" /, '');
  return `Not read: it ${reason}.`;
};

type EntryContent = Omit<AtlasEntry, 'id' | 'names' | 'year' | 'published'>;

function createProgramFields(layers: readonly PositionedLayer[]): Pick<AtlasEntry, 'distinct' | 'program'> {
  const distinct = selectDistinctLayers(layers);
  return { distinct, program: generatePositionProgram(distinct) };
}

function chooseSection(layers: readonly ConfigLayer[], marks: readonly LayerMark[]): AtlasSection {
  const [firstLayer] = layers;
  const stack = layers.filter((layer) => layer.stack === firstLayer?.stack).length;
  if (selectDistinctMarks(marks.slice(0, stack)).length > 1) return 'mixed';
  if (isStacked(layers)) return 'stacks';
  return marks[0]?.source === 'rotation' ? 'rotation' : 'added';
}

function describeLayers({ config, layers }: ExampleModel): EntryContent {
  const marks = createLayerMarks(layers);
  const [firstClauses = [], ...otherClauses] = layers.map(listAttentionClauses);
  return {
    section: chooseSection(layers, marks),
    sentence: writeLayersSentence(layers, { isExample: true }),
    marks,
    breaks: layers.flatMap(({ stack }, index) => (index > 0 && stack !== layers[index - 1]?.stack ? [index] : [])),
    clauses: firstClauses.filter((clause) => otherClauses.every((clauses) => clauses.includes(clause))),
    ...createProgramFields(layers),
    lab: createLabFragment({ 'layers.config': JSON.stringify(config) }),
  };
}

/** Describes the positions of a model type, or explains why the core rejects the type. */
function describeFamily(model_type: string, row: FamilyRow, phasor: Phasor): EntryContent {
  try {
    return describeLayers(createExample(model_type, row, phasor));
  } catch {
    const fieldsWithoutLayers = { breaks: [], clauses: [], lab: undefined };
    try {
      const config = phasor.encodingFromConfig({ model_type });
      const { encoding, added } = config;
      return {
        ...fieldsWithoutLayers,
        section: 'images',
        sentence: writeEncodingSentence(config, undefined),
        marks: createLayerMarks(Array(LAYER_COUNTS[0] as number).fill({ type: 'full_attention', encoding })),
        ...createProgramFields(
          [encoding, ...(added ? [added] : [])].map((layerEncoding) => ({
            type: 'full_attention',
            causal: false,
            encoding: layerEncoding,
          })),
        ),
      };
    } catch (thrown) {
      return { ...fieldsWithoutLayers, section: 'rejected', sentence: formatRejection(thrown), marks: [], distinct: [], program: '' };
    }
  }
}

const getModelType = (id: ModelId): string => String((MODELS[id].config as { model_type?: string }).model_type);

const listPublishedModels = (names: readonly string[], phasor: Phasor): AtlasEntry['published'] =>
  MODEL_IDS.filter((id) => names.includes(getModelType(id))).map((id) => {
    const { name, config } = MODELS[id];
    return { name, sentence: writeLayersSentence(phasor.layersFromConfig(config).layers), lab: createLabFragment({ 'layers.model': id }) };
  });

interface EntryMember {
  readonly name: string;
  readonly row: FamilyRow;
}

/** A model type that at least this many table rows refer to comes before older types in its entry. */
const MIN_REFERENCE_COUNT = 3;

/** Groups table rows into entries, sorted by descending number of model types. */
export function buildAtlas(rows: readonly FamilyRow[], phasor: Phasor): readonly AtlasEntry[] {
  const entries = new Map<string, { readonly reading: EntryContent; readonly members: EntryMember[] }>();
  for (const row of rows) {
    for (const name of row.names) {
      const reading = describeFamily(name, row, phasor);
      const groupKey = JSON.stringify([reading.section, reading.sentence, reading.marks]);
      const entry = entries.get(groupKey);
      if (entry) entry.members.push({ name, row });
      else entries.set(groupKey, { reading, members: [{ name, row }] });
    }
  }
  const referencedNames = rows.flatMap(({ as, text }) => [as, text]);
  const isOftenReferenced = (name: string): boolean =>
    referencedNames.filter((referencedName) => referencedName === name).length >= MIN_REFERENCE_COUNT;
  return [...entries.values()]
    .map(({ reading, members }) => {
      const rank = ({ name, row: { text, year } }: EntryMember): number =>
        (text === undefined ? 0 : 1e5) + year - (isOftenReferenced(name) ? 1e4 : 0);
      const [firstMember, ...otherMembers] = [...members].sort((a, b) => rank(a) - rank(b)) as [EntryMember, ...EntryMember[]];
      const names = [firstMember.name, ...otherMembers.map(({ name }) => name).sort()];
      const year = firstMember.row.text === undefined ? firstMember.row.year : undefined;
      return { id: firstMember.name, names, year, ...reading, published: listPublishedModels(names, phasor) };
    })
    .sort((a, b) => b.names.length - a.names.length);
}
