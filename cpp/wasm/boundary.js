// What JavaScript calls, in terms of what WebAssembly exports (bindings.cpp). Emscripten appends this file to the glue. A request waits here
// until arrays.cpp asks for its parts; an answer grows here as answer.cpp says.

var given; // the request
var made; // the answer, and behind it what is open in it

/** Adds a value to what is open; `name` is the address of its name. Where nothing is open it is the answer. */
function put(name, value) {
  const open = made[made.length - 1];
  if (open === undefined) made.push(value);
  else if (Array.isArray(open)) open.push(value);
  else open[UTF8ToString(name)] = value;
}

function answered(compute) {
  made = [{}];
  compute();
  return made[0];
}

const encoder = new TextEncoder();

Module['describe'] = () => answered(_phasor_describe);
// A request as web/engine/flat-request.ts writes it; {shape, data}, {named values} or {error}.
Module['call'] = (name, fields, numbers, arrays) => {
  given = { texts: [encoder.encode(name), encoder.encode(fields)], numbers, arrays };
  return answered(_phasor_call);
};
