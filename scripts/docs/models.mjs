// Writes the lists of families in docs/models.md from the tables in cpp/src/rope/rope_family.cpp and cpp/src/model/model_family.cpp. A test in C++
// composes them, and compares the file with them whenever it runs without this.
import { run } from '../run.mjs';
import { buildNativeTests } from '../test/cpp-tests.mjs';

const { program } = await buildNativeTests(['phasor_tests']);
const [command = ''] = program('phasor_tests');
run(command, ['--gtest_filter=ModelsDocument.*'], { env: { ...process.env, PHASOR_WRITE_MODELS: 'yes' } });
