/** A scenario's own tileset: whatever is wrong with it is told with its place, and together with all else that is wrong. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import type { OpenedScenario } from '../../src/assembly/opened-scenario.js';
import { ScenarioError } from '../../src/base/errors.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { ownSource, plainSource, rgbaPng } from '../render/tilesets.js';
import { BASE } from '../scenario/support.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const art = join(folder, 'art');
mkdirSync(art);

/** Everything that BASE is drawn with, one colour each. */
const SPRITES = ['figure/knight', 'item/key-brass', 'door/wood-open', 'door/wood-closed', 'door/wood-locked'];
const GOOD = await plainSource(
  Object.fromEntries([...SPRITES, 'floor', 'wall'].map((name, i) => [name, [i * 9, 7, 7, 255] as const])),
);
const PICTURE = GOOD.images['plain.png'] ?? new Uint8Array();

interface Files {
  manifest?: string;
  picture?: Uint8Array | null;
  font?: Uint8Array;
  /** Added to what the scenario says of its pictures. */
  render?: string;
  /** Added to the scenario. */
  more?: string;
}

async function opened({
  manifest = GOOD.manifest,
  picture = PICTURE,
  font,
  render = '',
  more = '',
}: Files): Promise<OpenedScenario> {
  const path = join(art, 'test.yaml');
  rmSync(join(art, 'plain.png'), { force: true, recursive: true });
  writeFileSync(path, `${BASE}render: { tileset: own.json${render} }\n${more}`);
  writeFileSync(join(art, 'own.json'), manifest);
  if (picture !== null) writeFileSync(join(art, 'plain.png'), picture);
  if (font !== undefined) writeFileSync(join(art, 'font.png'), font);
  return openScenario(openScenarioFile(path));
}

async function told(files: Files): Promise<readonly string[]> {
  try {
    await opened(files);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.diagnostics.map(
      ({ file, line, column, message }) => `${file.slice(dirname(art).length)} ${line}:${column} ${message}`,
    );
  }
}

const here = (message: string): string => `/art/test.yaml 22:20 ${message}`;
/** Every pixel another colour. */
const motley = (width: number): Promise<Buffer> => {
  const pixels = Array.from({ length: width * 8 }, (_, i) => [i % 256, Math.floor(i / 256), 0, 255]);
  return rgbaPng(width, 8, Buffer.from(pixels.flat()));
};
const jpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 56, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
const huge = (): Promise<Buffer> =>
  sharp({ create: { width: 5000, height: 1, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

test('a skin of a tileset that has none is told where it is chosen, with all else', async () => {
  const skins = await told({ render: ', skin: 3', more: 'surprise: 1\n' });
  expect(skins).toEqual([
    '/art/test.yaml 22:36 the tileset plain has no skins: render.skin must be 0',
    expect.stringContaining("23:1 unknown key 'surprise'") as string,
  ]);
  expect(await told({ render: ', skin: 0' })).toEqual([]);
});

test('one without a mistake is taken, with the font of the own one', async () => {
  const { loaded } = await opened({});
  expect(loaded.tileset.names).toContain('figure/knight');
  expect(loaded.tileset.font).not.toBeNull();
  expect(loaded.source.images['borrowed-font.png']).toEqual(ownSource().images['font.png']);
});

describe('an image that can not be used is told where the scenario names the tileset', () => {
  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ['cut off', () => PICTURE.slice(0, 60), "the image plain.png can't be used: it is cut off"],
    ['huge', huge, "the image plain.png can't be used: it has 5000×1 pixels; the limit is 4096×4096"],
    ['JPEG', jpeg, "the image plain.png can't be used: it is not a PNG (whatever its name says)"],
    ['too narrow', () => motley(55), 'the image plain.png is 55 pixels wide: 7 columns of 8 pixels need 56'],
  ])('%s', async (_, make, message) => {
    const picture = await make();
    const found = await told({ picture });
    expect(found).toEqual([expect.stringContaining(here(message))]);
  });

  test('as the line says it, with a suggestion', async () => {
    const error: unknown = await opened({ picture: PICTURE.slice(0, 60) }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScenarioError);
    expect((error as ScenarioError).diagnostics).toEqual([
      expect.objectContaining({
        source: 'render: { tileset: own.json }',
        caret: 20,
        suggestion: expect.stringContaining('a still PNG of at most 4096×4096 pixels') as string,
      }),
    ]);
  });

  test('given by --set, at the setting', async () => {
    writeFileSync(join(art, 'cut.json'), GOOD.manifest.replace('plain.png', 'cut.png'));
    writeFileSync(join(art, 'cut.png'), PICTURE.slice(0, 60));
    writeFileSync(join(art, 'test.yaml'), BASE);
    const file = openScenarioFile(join(art, 'test.yaml'));
    const error: unknown = await openScenario(file, { set: ['render.tileset=cut.json'] }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as ScenarioError).diagnostics).toMatchObject([{ file: '--set', line: 1 }]);
  });
});

describe('together with', () => {
  const cut = PICTURE.slice(0, 60);
  const CUT = expect.stringContaining(here("the image plain.png can't be used")) as string;

  test('a mistake of the scenario', async () => {
    const found = await told({ picture: cut, more: 'success: { agent: ann, holds: rubby }\n' });
    expect(found).toEqual([CUT, "/art/test.yaml 23:31 no thing has the id 'rubby'"]);
  });

  test('a tile that the manifest lacks', async () => {
    const manifest = GOOD.manifest.replace('figure/knight', 'figure/squire');
    const found = await told({ picture: cut, manifest });
    expect(found).toEqual([expect.stringContaining("the tileset has no tile 'knight'"), CUT]);
  });

  test('mistakes of the manifest, at their places in it', async () => {
    const manifest = GOOD.manifest.replace('"columns": 7', '"columns": 0');
    const found = await told({ picture: cut, manifest, more: 'success: { agent: ann, holds: rubby }\n' });
    expect(found).toEqual([
      CUT,
      "/art/test.yaml 23:31 no thing has the id 'rubby'",
      expect.stringMatching(/^\/art\/own\.json \d+:13 columns must be a whole number/),
    ]);
  });

  test('a manifest without tiles', async () => {
    const found = await told({
      picture: cut,
      manifest: '{ "name": "x", "image": "plain.png", "tile": 8, "columns": 1 }',
    });
    expect(found).toEqual([CUT, '/art/own.json 1:1 tiles must be a mapping { … }']);
  });

  test("the font's", async () => {
    const own = ownSource();
    const { font }: { font: object } = JSON.parse(own.manifest);
    const manifest = JSON.stringify({ ...JSON.parse(GOOD.manifest), font });
    const found = await told({ picture: cut, manifest, font: (own.images['font.png'] ?? cut).slice(0, 70) });
    expect(found).toEqual([CUT, expect.stringContaining(here("the image font.png can't be used"))]);
  });
});

test('a manifest that is no JSON is told where it ceases to be', async () => {
  expect(await told({ manifest: '{ "image": "plain.png",\n  "tiles" }' })).toEqual([
    expect.stringMatching(/^\/art\/own\.json 2:\d+ the file is not valid JSON from here on$/),
  ]);
});

test('an image that can not be read is told where the scenario names the tileset', async () => {
  mkdirSync(join(folder, 'outside'), { recursive: true });
  writeFileSync(join(folder, 'outside', 'secret.png'), readFileSync('assets/font.png'));
  const words = "the image plain.png of the tileset own.json can't be read";
  expect(await told({ picture: null })).toEqual([here(`${words}: there is no such file or folder`)]);
  symlinkSync(join(folder, 'outside', 'secret.png'), join(art, 'plain.png'));
  const linked = GOOD.manifest.replace('plain.png', 'link.png');
  symlinkSync(join(folder, 'outside', 'secret.png'), join(art, 'link.png'));
  expect(await told({ manifest: linked })).toEqual([
    here("the image link.png of the tileset own.json can't be read: it is outside the folder"),
  ]);
  mkdirSync(join(art, 'folder.png'));
  const inFolder = GOOD.manifest.replace('plain.png', 'folder.png');
  expect(await told({ manifest: inFolder })).toEqual([
    here("the image folder.png of the tileset own.json can't be read: it is a folder"),
  ]);
});
