/**
 * Makes a page's data from folders of tables: the same parts as from logs, but without calls, pictures and
 * views of agents, which tables don't have. Exported runs never grow.
 */
import { basename } from 'node:path';
import { StorageError, UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Scene } from '../../environment/scene.js';
import { loadTileset } from '../../render/tileset.js';
import type { PageSource } from '../page-maker.js';
import type { PagePart, PageRunHead, PageRunPart } from '../page-data.js';
import { pageTileset } from '../page-tileset.js';
import { PageTables } from '../tables.js';
import type { ExportedRun } from './exported-run.js';
import { readTables } from './read-tables.js';
import type { TablesFolder } from './read-tables.js';
import { TableSteps } from './table-steps.js';

export class TablePages implements PageSource {
  readonly #folders: readonly string[];
  readonly #tables = new PageTables();
  #unsent: { run: ExportedRun; folder: TablesFolder; file: string }[] | null = null;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** The next run; null after the last. Rejects with StorageError, and with UsageError for too many runs. */
  async part(): Promise<PagePart | null> {
    this.#unsent ??= await this.#read();
    const next = this.#unsent.shift();
    if (next === undefined) return null;
    const part = await this.#runPart(next.run, next.folder, next.file);
    return { ...this.#tables.take(), runs: [part] };
  }

  annotate(): never {
    throw new UsageError("verdicts can't be stored in exported tables", [
      'view the log itself to annotate its steps',
    ]);
  }

  async #read() {
    const runs: { run: ExportedRun; folder: TablesFolder; file: string }[] = [];
    for (const path of this.#folders) {
      const folder = await readTables(path);
      runs.push(...folder.runs.map((run) => ({ run, folder, file: basename(path) })));
    }
    if (runs.length > LIMITS.pageRuns)
      throw new UsageError(`a page shows at most ${LIMITS.pageRuns} runs`, [
        'export fewer runs into one folder',
      ]);
    return runs;
  }

  async #runPart(run: ExportedRun, { tilesets }: TablesFolder, file: string): Promise<PageRunPart> {
    const scenes = new TableSteps(run, (scene) => this.#scene(run, scene));
    const files = tilesets.get(run.tileset);
    const manifest = files?.get('manifest');
    if (files === undefined || manifest === undefined)
      throw new StorageError(`${file}: tilesets.parquet does not contain the tileset of ${run.runId}`);
    const images = Object.fromEntries([...files].filter(([name]) => name !== 'manifest'));
    const source = { manifest: Buffer.from(manifest).toString('utf8'), images };
    // Fails here if the page's script could not use the tileset.
    await loadTileset(source, `${file}: manifest`);
    const tileset = await pageTileset(source.manifest, images);
    const start = scenes.begin();
    const head: PageRunHead = {
      id: run.runId,
      file,
      title: run.title,
      seed: run.seed,
      parent: run.parent,
      change: '',
      agents: run.agents.map((agent) => ({ ...agent, player: '', goals: [] })),
      tileset: this.#tables.tileset(run.tileset, () => tileset),
      skin: run.skin,
      cell: CELL,
      ruler: false,
      isCrowd: false,
      isMapWhole: true,
      places: [],
      hasCalls: false,
      start: { map: start, eyes: run.agents.map(() => null) },
    };
    const steps = run.ticks.slice(1).flatMap((tick) => scenes.of(tick));
    return { id: run.runId, head, steps, end: run.end, hasMore: false, marks: [], leases: [] };
  }

  #scene({ runId }: ExportedRun, scene: Scene): number | null {
    if (scene.width * scene.height > LIMITS.pageMapTiles)
      throw new StorageError(`the map of ${runId} has more than ${LIMITS.pageMapTiles} tiles`, [
        'view its log instead, which shows part of the map',
      ]);
    return this.#tables.scene(scene);
  }
}

/** No pictures were sent, so the size of a tile is that of the art. */
const CELL = 16;
