/** What a test says of its ring: as `{ tags: ['long'] }` on `it` or `describe`, or as `@module-tag long` above a whole file. */
export const TAGS = [
  { name: 'long', description: 'only in `npm run test:all`' },
  { name: 'sized', description: 'in every ring, with the size of that ring (tests/support/sizes.ts)' },
];

/** Whether the text of a test file says of the whole file that it is long. */
export function isLongFile(text: string): boolean {
  return /^\/\*\*(?:(?!\*\/)[^])*@module-tag long/.test(text);
}
