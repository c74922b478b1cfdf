/** Builds dist/ if one of its sources is newer. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Written last. */
const BUILT = 'dist/THIRD-PARTY-LICENCES.txt';
const SOURCES = [
  'src',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

if (!existsSync(BUILT) || SOURCES.some((source) => newest(source) > statSync(BUILT).mtimeMs)) {
  console.log('dist/ is older than its sources: npm run build');
  process.exitCode = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status ?? 1;
}

/** When the file, or anything below the folder, was last changed. @param {string} path @returns {number} */
function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((entry) => newest(join(path, entry))));
}
