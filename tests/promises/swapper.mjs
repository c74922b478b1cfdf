/**
 * Swaps what stands at places of a folder against ways out of it, over and over, until it is ended: `node swapper.mjs FOLDER KIND`. Between two
 * swaps everything is as it was. In: `FOLDER/root` and `FOLDER/outside`, made by the test.
 */
import { linkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', kind = ''] = process.argv.slice(2);
const at = (...parts) => join(folder, ...parts);

/** A folder, or the root itself, gives way to a link to the same names outside. */
function folderSwap(place, target) {
  const link = at(`link-of-${kind}`);
  const aside = at(`aside-of-${kind}`);
  symlinkSync(target, link);
  return () => {
    renameSync(place, aside);
    renameSync(link, place);
    renameSync(place, link);
    renameSync(aside, place);
  };
}

/** A file gives way to what `make` puts at the path that it is given. */
function fileSwap(place, make) {
  const other = at('root', `other-of-${kind}`);
  return () => {
    make(other);
    renameSync(other, place);
    writeFileSync(other, 'inside');
    renameSync(other, place);
  };
}

const SWAPS = {
  folder: () => folderSwap(at('root', 'd'), at('outside')),
  deep: () => folderSwap(at('root', 'a', 'b'), at('outside')),
  root: () => folderSwap(at('root'), at('outside')),
  file: () => fileSwap(at('root', 'f.txt'), (path) => symlinkSync(at('outside', 'f.txt'), path)),
  hard: () => fileSwap(at('root', 'f.txt'), (path) => linkSync(at('outside', 'f.txt'), path)),
  dotted: () => fileSwap(at('root', 'f.txt'), (path) => symlinkSync(at('root', '.env'), path)),
  'dot folder': () => folderSwap(at('root', 'd'), at('root', '.git')),
};

const swap = SWAPS[kind]();
process.on('SIGTERM', () => process.exit(0));
process.stdout.write('swapping\n');
for (let round = 0; ; round += 1) {
  swap();
  // Signals are heard between two rounds.
  if (round % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
}
