// The functions of JavaScript, by those that Embind binds (bindings.cpp). Emscripten appends this file to the glue.

/** The pending request, which arrays.cpp reads, and the response, which response.cpp builds. */
const boundary = {
  request: undefined,
  /** The response, followed by the open objects and lists inside it, and the addresses of their names. */
  response: [],
  names: [],
  /** Adds a value to the open object or list; `name` is the address of its name. Without one the value is the response. */
  put(name, value) {
    const open = this.response[this.response.length - 1];
    if (open === undefined) this.response.push(value);
    else if (Array.isArray(open)) open.push(value);
    else open[UTF8ToString(name)] = value;
  },
  open(name, inner) {
    this.put(name, inner);
    this.response.push(inner);
    this.names.push(name);
  },
  close() {
    this.response.pop();
    this.names.pop();
  },
  begin(...response) {
    this.response = response;
    this.names = [];
  },
  /** The caller's array for a result, null while shapes are compared, or undefined if the caller has none (web/engine/request/out-arrays.ts). */
  own(name, shape) {
    const { own } = this.request;
    const addresses = [...this.names, name].filter((address) => address !== 0);
    const names = own ? addresses.map((address) => UTF8ToString(address)) : [];
    return own ? own.arrayFor(names, shape) : undefined;
  },
  /** Whether all values are added once more, after the caller's arrays were found to match. */
  again() {
    const { own } = this.request;
    const again = own ? own.again() : false;
    if (again) this.begin({});
    return again;
  },
  isRefused() {
    const { own } = this.request;
    return own ? own.refusal !== undefined : false;
  },
  /** The response of `compute`. Request and response are released afterwards. */
  respond(compute) {
    this.begin({});
    try {
      compute();
      return this.response[0];
    } finally {
      this.request = undefined;
      this.begin();
    }
  },
};

const encoder = new TextEncoder();

Module.describe = () => boundary.respond(Module.computeDescription);
// A request as web/engine/request/flat-request.ts writes it; {shape, data}, {named values} or {error}.
Module.call = (name, fields, numbers, arrays, own) => {
  boundary.request = { texts: [encoder.encode(name), encoder.encode(fields)], numbers, arrays, own };
  return boundary.respond(Module.computeCall);
};
