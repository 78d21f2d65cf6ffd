// What JavaScript calls, in terms of what Embind has bound (bindings.cpp). Emscripten appends this file to the glue.

/** A request waits here until arrays.cpp asks for its parts; an answer grows here as response.cpp says. */
const boundary = {
  given: undefined,
  /** The answer, and behind it what is open in it, with the addresses of the names. */
  made: [],
  names: [],
  /** Adds a value to what is open; `name` is the address of its name. Where nothing is open it is the answer. */
  put(name, value) {
    const open = this.made[this.made.length - 1];
    if (open === undefined) this.made.push(value);
    else if (Array.isArray(open)) open.push(value);
    else open[UTF8ToString(name)] = value;
  },
  open(name, inner) {
    this.put(name, inner);
    this.made.push(inner);
    this.names.push(name);
  },
  close() {
    this.made.pop();
    this.names.pop();
  },
  begin(...answer) {
    this.made = answer;
    this.names = [];
  },
  /** The caller's array for a result, null while arrays are compared, or undefined where the caller has none (web/engine/request/out-arrays.ts). */
  own(name, shape) {
    const { own } = this.given;
    const addresses = [...this.names, name].filter((address) => address !== 0);
    const names = own ? addresses.map((address) => UTF8ToString(address)) : [];
    return own ? own.arrayFor(names, shape) : undefined;
  },
  /** Whether all values are put once more, now that the caller's arrays are known to fit. */
  again() {
    const { own } = this.given;
    const again = own ? own.again() : false;
    if (again) this.begin({});
    return again;
  },
  isRefused() {
    const { own } = this.given;
    return own ? own.refusal !== undefined : false;
  },
  /** What `compute` has put together. Afterwards nothing is held of the request and the answer. */
  answered(compute) {
    this.begin({});
    try {
      compute();
      return this.made[0];
    } finally {
      this.given = undefined;
      this.begin();
    }
  },
};

const encoder = new TextEncoder();

Module.describe = () => boundary.answered(Module.computeDescription);
// A request as web/engine/request/flat-request.ts writes it; {shape, data}, {named values} or {error}.
Module.call = (name, fields, numbers, arrays, own) => {
  boundary.given = { texts: [encoder.encode(name), encoder.encode(fields)], numbers, arrays, own };
  return boundary.answered(Module.computeCall);
};
