/** A release has one version: the packages, their examples and the changelog agree. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notesOf, statedVersions } from '../../scripts/lib/versions.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

it.each(statedVersions())('$file has the version of package.json', (stated) => {
  expect(stated.version).toBe(version);
});

it('the changelog tells of it', () => {
  expect(notesOf(version).split('\n').length).toBeGreaterThan(5);
  expect(notesOf('0.0.0')).toBe('');
});

it('the Python package has the same licence', () => {
  expect(readFileSync('python/LICENSE', 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
});
