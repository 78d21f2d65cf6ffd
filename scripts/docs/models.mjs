// Writes docs/families.json and the table of families in docs/models.md from cpp/src/hf_config/families. C++ tests write the files with
// PHASOR_WRITE_MODELS=yes, and otherwise check that they are current.
import { run } from '../run.mjs';
import { buildNativeTests } from '../test/cpp-tests.mjs';

const { program } = await buildNativeTests(['phasor_tests']);
const [command = ''] = program('phasor_tests');
run(command, ['--gtest_filter=ModelsDocument.*:FamiliesJson.*'], { env: { ...process.env, PHASOR_WRITE_MODELS: 'yes' } });
