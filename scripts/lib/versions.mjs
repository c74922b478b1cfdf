// @ts-check
/** The version that will be released, wherever it stands, what the changelog says of it, and the revision of the API that it ships. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} file */
const read = (file) => readFileSync(`${ROOT}${file}`, 'utf8');

/** Its first group is the version. @type {readonly (readonly [file: string, pattern: RegExp])[]} */
const PLACES = [
  ['package.json', /^ {2}"version": "(.+)"/m],
  ['package-lock.json', /^ {2}"version": "(.+)"/m],
  ['python/pyproject.toml', /^version = "(.+)"$/m],
  // Its newest section with a date; what is not released yet stands above it.
  ['CHANGELOG.md', /^## (\d\S*) · \d{4}-\d\d-\d\d$/m],
  ['examples/openenv/pyproject.toml', /^version = "(.+)"$/m],
  ['examples/openenv/pyproject.toml', /orchestrate-agent\[openenv\]==([^"]+)"/],
  ['examples/openenv/openenv.yaml', /^version: (.+)$/m],
  ['examples/openenv/Dockerfile', /orchestrate-vlm@(\S+)/],
  ['examples/verifiers/pyproject.toml', /^version = "(.+)"$/m],
  ['examples/verifiers/pyproject.toml', /orchestrate-agent\[verifiers\]==([^"]+)"/],
];

/** @returns {readonly { file: string, version: string | undefined }[]} */
export function statedVersions() {
  return PLACES.map(([file, pattern]) => ({ file, version: pattern.exec(read(file))?.[1] }));
}

/** The revision of the API, and whether `proto/` keeps it, so that `npm run proto` protects the clients of a release. */
export function apiRevision() {
  const [, revision = ''] = /API_REVISION = (\d+)/.exec(read('src/serve/services/messages.ts')) ?? [];
  const file = `proto/v1-revision-${revision}.binpb`;
  return { revision: Number(revision), file, isKept: existsSync(`${ROOT}${file}`) };
}

/** The section of a version in the changelog, without its heading; "" if there is none. @param {string} version */
export function notesOf(version) {
  const sections = read('CHANGELOG.md').split(/^## /m);
  const [, notes = ''] = sections.find((one) => one.startsWith(`${version} · `))?.split(/\n([^]*)/) ?? [];
  return notes.trim();
}
