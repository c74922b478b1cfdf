/** The hash of a message is that of its canonical JSON, whatever it holds. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, sha256 } from '../../src/base/canonical.js';
import { messageHash } from '../../src/trajectory/content.js';

const part = fc
  .tuple(fc.constantFrom('text' as const, 'frame' as const), fc.string().map(sha256))
  .map(([kind, hash]) => (kind === 'text' ? { text: hash } : { frame: hash }));

it('spells out what canonical JSON would write of a message', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
      fc.array(part),
      (role, parts) => {
        expect(messageHash(role, parts)).toBe(sha256(canonicalJson({ role, parts })));
      },
    ),
  );
});
