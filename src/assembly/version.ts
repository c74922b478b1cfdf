/** The program's version, from its installed package. It is informative only, and no hash covers it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package/folders.js';

const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8'));

export const PROGRAM_VERSION: string =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
