// What JavaScript calls, in terms of what Embind has bound (bindings.cpp). Emscripten appends this file to the glue.

/** A request waits here until arrays.cpp asks for its parts; an answer grows here as answer.cpp says. */
const boundary = {
  given: undefined,
  /** The answer, and behind it what is open in it. */
  made: [],
  /** Adds a value to what is open; `name` is the address of its name. Where nothing is open it is the answer. */
  put(name, value) {
    const open = this.made[this.made.length - 1];
    if (open === undefined) this.made.push(value);
    else if (Array.isArray(open)) open.push(value);
    else open[UTF8ToString(name)] = value;
  },
  /** What `compute` has put together. Afterwards nothing is held of the request and the answer. */
  answered(compute) {
    this.made = [{}];
    try {
      compute();
      return this.made[0];
    } finally {
      this.given = undefined;
      this.made = [];
    }
  },
};

const encoder = new TextEncoder();

Module.describe = () => boundary.answered(Module.computeDescription);
// A request as web/engine/flat-request.ts writes it; {shape, data}, {named values} or {error}.
Module.call = (name, fields, numbers, arrays) => {
  boundary.given = { texts: [encoder.encode(name), encoder.encode(fields)], numbers, arrays };
  return boundary.answered(Module.computeCall);
};
