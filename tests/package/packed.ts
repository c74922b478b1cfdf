/** What `npm pack` would put into the package, of the build that is there. */
import { execFileSync } from 'node:child_process';
import { ROOT } from '../support/children.js';

export function packedFiles(): ReadonlySet<string> {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(printed) as readonly { files: readonly { path: string }[] }[];
  return new Set(packed?.files.map(({ path }) => path));
}
