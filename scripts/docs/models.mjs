// Writes the table of families of docs/models.md, and docs/families.json, from cpp/src/hf_config/families. A test
// in C++ composes them, and compares the file with them otherwise.
import { run } from '../run.mjs';
import { buildNativeTests } from '../test/cpp-tests.mjs';

const { program } = await buildNativeTests(['phasor_tests']);
const [command = ''] = program('phasor_tests');
run(command, ['--gtest_filter=ModelsDocument.*:FamiliesJson.*'], { env: { ...process.env, PHASOR_WRITE_MODELS: 'yes' } });
