// Writes the lists of families in docs/models.md from the tables in cpp/src/hf_config/rope_families.cpp and cpp/src/hf_config/families.cpp. A test
// in C++ composes them, and compares the file with them otherwise.
import { run } from '../run.mjs';
import { buildNativeTests } from '../test/cpp-tests.mjs';

const { program } = await buildNativeTests(['phasor_tests']);
const [command = ''] = program('phasor_tests');
run(command, ['--gtest_filter=ModelsDocument.*'], { env: { ...process.env, PHASOR_WRITE_MODELS: 'yes' } });
