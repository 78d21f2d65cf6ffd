// Emscripten shows a program an environment of its own, which does not say which share of the tests a process runs.
Module.preRun = () => {
  for (const [name, value] of Object.entries(process.env)) if (name.startsWith('GTEST_')) ENV[name] = value;
};
