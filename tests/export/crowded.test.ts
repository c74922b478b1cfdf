/** What a crowded tile does not show is told: in labels, in COCO files, and by no question. The scenario puts six things on a tile of which a picture shows four. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { filesIn, jsonLines } from './runs.js';

const cwd = temporaryFolder();

const SCENARIO = `
title: A crowded tile
map: |
  #######
  #.....#
  #.A...#
  #######
legend:
  A: { agent: ann }
things:
  bell: { at: [4, 1] }
  crown: { at: [4, 1] }
  dagger: { at: [4, 1] }
  goblet: { at: [4, 1] }
  mirror: { at: [4, 1] }
  table: { kind: furniture, at: [4, 1] }
  rope: { at: [2, 2] }
agents: [{ id: ann, sprite: figure/monk, controller: random }]
render: { window: [7, 5], tile: 32 }
turns: { max: 1 }
`;

interface Thing {
  id: string;
  box: readonly number[] | null;
  covered: boolean;
  occluded: boolean;
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'crowd.yaml'), SCENARIO);
  await orchestrate(['run', 'crowd.yaml', '--out', 'crowd.sqlite', '--quiet'], { cwd });
});

async function exported(format: string): Promise<ReturnType<typeof filesIn>> {
  const ran = await orchestrate(['export', 'crowd.sqlite', '--format', format, '--out', format], { cwd });
  expect(ran.code).toBe(0);
  return filesIn(join(cwd, format));
}

describe('a crowded tile', () => {
  it('shows four things, the fixed one whole, and labels tell of the others', async () => {
    const [line] = jsonLines((await exported('labels'))['train/labels.jsonl']) as unknown as readonly {
      occluded: number;
      things: readonly Thing[];
    }[];
    const told = (line?.things ?? []).map(({ id, box, covered, occluded }) => [id, box, covered, occluded]);
    // The window's middle is the agent at 2, 2, so its left edge is column -1 and its top row 0 of the world.
    expect(Object.fromEntries(told.map(([id, ...rest]) => [id, rest]))).toEqual({
      ann: [[96, 64, 32, 32], true, false],
      rope: [[112, 80, 16, 16], false, false],
      table: [[160, 32, 32, 32], true, false],
      bell: [[176, 48, 16, 16], false, false],
      crown: [[160, 48, 16, 16], false, false],
      dagger: [[176, 32, 16, 16], false, false],
      goblet: [null, false, true],
      mirror: [null, false, true],
    });
    expect(line?.occluded).toBe(2);
  });

  it('has annotations of what is drawn, and the count of what is not', async () => {
    const { images, annotations } = JSON.parse(
      String((await exported('coco'))['train/annotations.json']),
    ) as {
      images: readonly { occluded: number }[];
      annotations: readonly { attributes: Thing }[];
    };
    expect(images.map(({ occluded }) => occluded)).toEqual([2]);
    const ids = annotations.map(({ attributes }) => attributes.id).sort((a, b) => (a < b ? -1 : 1));
    expect(ids).toEqual(['ann', 'bell', 'crown', 'dagger', 'rope', 'table']);
    expect(annotations.every(({ attributes }) => !attributes.occluded)).toBe(true);
  });
});
