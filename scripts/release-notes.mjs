// `node scripts/release-notes.mjs v1.2.3`: what the changelog says of the version that the tag names. Exits 1 if that isn't the version of every package, or the API that it ships is not kept.
import { apiRevision, notesOf, statedVersions } from './lib/versions.mjs';

const [tag = ''] = process.argv.slice(2);
const others = statedVersions().filter(({ version }) => `v${version}` !== tag);
for (const { file, version } of others)
  console.error(`the tag is ${tag}, but ${file} has ${version ?? 'no version'}`);
const notes = notesOf(tag.slice(1));
if (notes === '') console.error(`CHANGELOG.md has nothing to tell of ${tag}`);
const { file, isKept } = apiRevision();
if (!isKept) console.error(`${file} is missing: npm run proto:released ${file}`);
if (others.length > 0 || notes === '' || !isKept) process.exit(1);
console.log(notes);
