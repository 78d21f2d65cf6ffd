// Writes ONNX models of a few operators without a dependency. A model is a protobuf message; the field numbers below are those of
// onnx.proto3, where every field is a varint, a float or bytes.

const utf8 = (text) => [...new TextEncoder().encode(text)];

function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

// Fields of the three wire types.
const integer = (field, value) => [...varint(field << 3), ...varint(value)];
const bytes = (field, content) => [...varint((field << 3) | 2), ...varint(content.length), ...content];
const float = (field, value) => [...varint((field << 3) | 5), ...new Uint8Array(new Float32Array([value]).buffer)];

const text = (field, value) => bytes(field, utf8(value));
const each = (values, encode) => values.flatMap(encode);

const elementTypes = { float32: 1, int32: 6, int64: 7, bool: 9 };

/** An AttributeProto. A whole number is an int; a float is written {float: 1}. */
function attribute(name, value) {
  if (typeof value === 'string') return [...text(1, name), ...text(4, value), ...integer(20, 3)];
  if (Number.isInteger(value)) return [...text(1, name), ...integer(3, value), ...integer(20, 2)];
  if (Array.isArray(value)) return [...text(1, name), ...each(value, (item) => integer(8, item)), ...integer(20, 7)];
  if (typeof value?.float === 'number') return [...text(1, name), ...float(2, value.float), ...integer(20, 1)];
  throw new TypeError(`${name}: ${JSON.stringify(value)} is not a string, a whole number, a list of them or {float}`);
}

function node({ op, domain = '', inputs, outputs, attributes = {} }) {
  return [
    ...each(inputs, (name) => text(1, name)),
    ...each(outputs, (name) => text(2, name)),
    ...text(4, op),
    ...each(Object.entries(attributes), ([name, value]) => bytes(5, attribute(name, value))),
    ...text(7, domain),
  ];
}

function valueInfo([name, { type = 'float32', shape }]) {
  const dimensions = each(shape, (extent) => bytes(1, typeof extent === 'number' ? integer(1, extent) : text(2, extent)));
  const tensor = [...integer(1, elementTypes[type]), ...bytes(2, dimensions)];
  return [...text(1, name), ...bytes(2, bytes(1, tensor))];
}

/** A TensorProto whose data is in another file. */
function externalTensor(file, [name, { type = 'float32', shape, begin, size }]) {
  const entry = (key, value) => bytes(13, [...text(1, key), ...text(2, String(value))]);
  const place = [...entry('location', file), ...entry('offset', begin), ...entry('length', size)];
  return [...each(shape, (extent) => integer(1, extent)), ...integer(2, elementTypes[type]), ...text(8, name), ...place, ...integer(14, 1)];
}

/**
 * @typedef {{ type?: keyof typeof elementTypes, shape: (number | string)[] }} Value an extent that is a string is symbolic
 * @typedef {string | number | number[] | { float: number }} Attribute
 * @param {object} model
 * @param {{ op: string, domain?: string, inputs: string[], outputs: string[], attributes?: Record<string, Attribute> }[]} model.nodes
 *   in the order of computation; the name '' leaves an optional input out
 * @param {Record<string, Value>} model.inputs
 * @param {Record<string, Value>} model.outputs
 * @param {Record<string, number>} model.opsets version of each domain; '' is ONNX itself
 * @param {{ file: string, tensors: Record<string, Value & { begin: number, size: number }> }} [model.weights] ranges of bytes in another file
 */
export function onnxModel({ nodes, inputs, outputs, opsets, weights = { file: '', tensors: {} } }) {
  const graph = [
    ...each(nodes, (one) => bytes(1, node(one))),
    ...text(2, 'graph'),
    ...each(Object.entries(weights.tensors), (entry) => bytes(5, externalTensor(weights.file, entry))),
    ...each(Object.entries(inputs), (entry) => bytes(11, valueInfo(entry))),
    ...each(Object.entries(outputs), (entry) => bytes(12, valueInfo(entry))),
  ];
  const imports = each(Object.entries(opsets), ([domain, version]) => bytes(8, [...text(1, domain), ...integer(2, version)]));
  const irVersion = 8;
  return Uint8Array.from([...integer(1, irVersion), ...bytes(7, graph), ...imports]);
}
