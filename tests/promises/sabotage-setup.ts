/** In a run of `sabotage.config.ts`: only the tests whose names are asked for; the first that fails is enough. */
import { beforeEach } from 'vitest';

const wanted = new RegExp(process.env['SABOTAGE_TESTS'] ?? '');

beforeEach(({ task, skip }) => {
  const names: string[] = [];
  for (
    let at: { readonly name: string; readonly suite?: unknown } | undefined = task;
    at !== undefined;
    at = suiteOf(at)
  ) {
    names.unshift(at.name);
  }
  if (!wanted.test(names.join(' '))) skip();
});

function suiteOf({ suite }: { readonly suite?: unknown }) {
  return suite as { readonly name: string; readonly suite?: unknown } | undefined;
}
