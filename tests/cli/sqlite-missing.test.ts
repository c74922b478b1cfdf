/** SQLite's library is compiled or downloaded by an install script, which npm may not have run: that is told, and is no bug of ours. */
import { expect, it } from 'vitest';
import { printError } from '../../src/cli/text/error-text.js';
import { capturedIo } from '../support/captured-io.js';

/** As `bindings` 1.5 and Node 20 write them. */
const NO_FILE =
  'Could not locate the bindings file. Tried:\n → /x/node_modules/better-sqlite3/build/better_sqlite3.node';
const OTHER_NODE =
  "The module '/x/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127.";

it.each([NO_FILE, OTHER_NODE])('%s', (message) => {
  const { io, err } = capturedIo();
  expect(printError(new Error(message), io)).toBe(3);
  expect(err()).toContain('the library of SQLite is not there for this Node');
  expect(err()).toContain('npm rebuild better-sqlite3');
  expect(err()).not.toMatch(/internal error|\.node/);
});
