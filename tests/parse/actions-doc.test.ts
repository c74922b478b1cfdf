/** docs/reference/actions.md is what the actions say: a changed action without a written page fails here. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { actionsDoc } from '../../src/forms/actions-doc.js';
import { VOCABULARY } from './vocabulary.js';

const ROOT = new URL('../../', import.meta.url);

describe('the page of actions', () => {
  test('tells how each action is said, what it costs and what fills its slots', () => {
    const page = actionsDoc([{ environment: 'test', vocabulary: VOCABULARY }]);
    expect(page).toContain('- Form: `USE <thing> ON <target>` or `USE <thing>`');
    expect(page).toContain('- Form: `SPEAK "<text>"`');
    expect(page).toContain('- Cost: none (a free action)');
    expect(page).toContain('- `target` (optional): On what. (thing, person, door)');
    for (const action of VOCABULARY) expect(page).toContain(`### ${action.name}\n`);
  });

  // It reads the build, which `npm test` makes first.
  test.skipIf(!existsSync(new URL('dist/modules/worlds/grid/grid.js', ROOT)))('is current', () => {
    const script = new URL('scripts/actions-doc.mjs', ROOT);
    const { status, stderr } = spawnSync(process.execPath, [script.pathname, '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
