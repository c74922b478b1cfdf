/**
 * Keys that are right by themselves but have no effect beside the others: told as warnings, so that nobody waits for what they
 * ask. They are looked for in what was written, since a default asks for nothing.
 */
import type { Json } from '../base/json.js';
import { childOf } from './records.js';
import type { Report } from './report.js';
import type { Path } from './tree.js';

/** `written` is the scenario before defaults were filled in; where a schema refused a value, that is told elsewhere. */
export function tellIdleKeys(written: Json, report: Report): void {
  tellAids(written, report);
  const agents = childOf(written, 'agents');
  if (Array.isArray(agents)) agents.forEach((_, i) => tellMemory(written, report, ['agents', i, 'memory']));
}

/** Marks and a ruler are drawn into a picture that nobody gets. */
function tellAids(written: Json, report: Report): void {
  const render = childOf(written, 'render');
  if (childOf(render, 'channel') !== 'text') return;
  for (const key of ['marks', 'ruler']) {
    if (childOf(render, key) === true)
      report.warning(
        { key: ['render', key] },
        `'${key}' has no effect where channel is text`,
        'it belongs to a picture: write channel: both, or leave it out',
      );
  }
}

function tellMemory(written: Json, report: Report, path: Path): void {
  const memory = path.reduce<unknown>(childOf, written);
  if (childOf(memory, 'kind') !== 'none') return;
  for (const key of ['turns_max', 'turns_kept']) {
    if (childOf(memory, key) !== undefined)
      report.warning(
        { key: [...path, key] },
        `'${key}' has no effect where the memory's kind is none`,
        'write kind: history, or leave it out',
      );
  }
}
