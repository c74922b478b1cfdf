/** Runs for the page: played into a log, and made into a page's data as the command does it. */
import { basename } from 'node:path';
import { moduleOf } from '../../src/worlds/environment-module.js';
import { MODULES } from '../../src/worlds/registry.js';
import { environmentOf } from '../../src/assembly/scenario-environment.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import { loadTileset } from '../../src/render/tileset.js';
import { LoggedStates } from '../../src/replay/state-at.js';
import { withPart, NO_DATA } from '../../src/view/page-data.js';
import type { PageData, PagePart } from '../../src/view/page-data.js';
import { PageMaker } from '../../src/view/page-maker.js';
import type { OpenRunSource } from '../../src/view/run-source.js';

export const openStage = stageOpener({ modules: MODULES });

export const openRun: OpenRunSource = async ({ reader, file }, { runId }) => {
  const run = reader.run(runId);
  const environment = environmentOf(moduleOf(MODULES, run.scenario.environment), run.scenario);
  const tileset = (await loadTileset(run.tileset, 'the log')).skinned(run.scenario.render.skin);
  return { reader, run, environment, tileset, file, states: new LoggedStates({ reader, run, environment }) };
};

/** A maker over one log; close the reader when it is done with. */
export function makerOf(path: string, runId: string | null = null) {
  const reader = new LogReader(path);
  return { reader, maker: new PageMaker([{ reader, file: basename(path), runId }], openRun, openStage) };
}

/** All parts of a log's page. */
export async function partsOf(path: string): Promise<readonly PagePart[]> {
  const { reader, maker } = makerOf(path);
  try {
    const parts: PagePart[] = [];
    for (
      let part = await maker.part({ isAll: true });
      part !== null;
      part = await maker.part({ isAll: true })
    )
      parts.push(part);
    return parts;
  } finally {
    reader.close();
  }
}

export async function dataOf(path: string): Promise<PageData> {
  return (await partsOf(path)).reduce(withPart, NO_DATA);
}
