/** Makes the virtual environments that the tests of examples/openenv and examples/verifiers need. Does nothing where they are there. */
import { EXAMPLES, madeExamplePython } from './lib/python-examples.mjs';

for (const example of EXAMPLES) console.log(`python of examples/${example}: ${madeExamplePython(example)}`);
