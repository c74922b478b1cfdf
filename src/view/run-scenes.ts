/**
 * The scenes of a run after each step: the map, and each agent's view. A map that is too large to draw
 * quickly is shown as a window that follows the acting agent, and with many agents views are recomputed only
 * for the acting one and at the end of a turn: 256 views after each of 256 steps of a turn would be 65,536
 * pictures.
 */
import { LIMITS } from '../base/limits.js';
import { WORLD_ID } from '../base/ids.js';
import type { Scene } from '../environment/scene.js';
import type { Point } from '../environment/space.js';
import type { PageScenes } from './page-data.js';
import type { RunSource } from './run-source.js';
import type { PageTables } from './tables.js';

export class RunScenes {
  readonly #source: RunSource;
  readonly #tables: PageTables;
  readonly #eyes: (number | null)[] = [];
  /** Top left tile of the window on a large map; null if the whole map is shown. */
  #corner: Point | null = null;

  constructor(source: RunSource, tables: PageTables) {
    this.#source = source;
    this.#tables = tables;
  }

  /** Whether views are recomputed only with their agent's own steps, and at the end of a turn. */
  get isCrowd(): boolean {
    return this.#source.run.scenario.agents.length > LIMITS.pageEyes;
  }

  /** Whether the whole map is shown; known after the first scene. */
  get isMapWhole(): boolean {
    return this.#corner === null;
  }

  /** The scenes after a step; `acting`: the agents whose steps led to it. */
  after(step: number, acting: readonly string[]): { scenes: PageScenes; asLogged: boolean } {
    const { states, environment, run } = this.#source;
    const { state, isAsLogged } = states.at(step);
    const map = environment.scene(state, null);
    const isAll = step === 0 || !this.isCrowd || acting.includes(WORLD_ID);
    run.scenario.agents.forEach(({ id }, i) => {
      if (isAll || acting.includes(id)) this.#eyes[i] = this.#indexOf(environment.scene(state, id));
    });
    // The map's marks are the names of its rooms, which would cover its contents.
    const mapIndex = map === null ? null : this.#indexOf({ ...this.#window(map, acting), marks: [] });
    return { scenes: { map: mapIndex, eyes: [...this.#eyes] }, asLogged: isAsLogged };
  }

  #indexOf(scene: Scene | null): number | null {
    return scene === null ? null : this.#tables.scene(scene);
  }

  /**
   * The part of a large map around the acting agent. It moves only if the agent comes near its edge, so that
   * a step usually moves bodies and not the ground.
   */
  #window(map: Scene, acting: readonly string[]): Scene {
    if (map.width * map.height <= LIMITS.pageMapTiles) return map;
    const [width, height] = [Math.min(map.width, WINDOW_TILES), Math.min(map.height, WINDOW_TILES)];
    const ids = acting.includes(WORLD_ID) ? [] : acting;
    const first = this.#source.run.scenario.agents[0]?.id ?? '';
    const centre = map.things.find(({ id }) => (this.#corner === null ? id === first : ids.includes(id)));
    const windowStart = (
      current: number | undefined,
      actor: number | undefined,
      side: number,
      mapSide: number,
    ): number => {
      const isWellInside =
        current !== undefined &&
        (actor === undefined || (actor >= current + side / 4 && actor < current + side - side / 4));
      const start = isWellInside ? current : (actor ?? 0) - Math.floor(side / 2);
      return Math.max(0, Math.min(mapSide - side, start));
    };
    this.#corner = {
      x: windowStart(this.#corner?.x, centre?.x, width, map.width),
      y: windowStart(this.#corner?.y, centre?.y, height, map.height),
    };
    return cropScene(map, this.#corner, { width, height });
  }
}

/** Side of the window on a map that is too large to be shown whole. */
const WINDOW_TILES = 64;

function cropScene(
  scene: Scene,
  { x: left, y: top }: Point,
  { width, height }: { width: number; height: number },
): Scene {
  const rows = <T>(cells: readonly T[]): readonly T[] =>
    Array.from({ length: height }, (_, y) => {
      const start = (top + y) * scene.width + left;
      return cells.slice(start, start + width);
    }).flat();
  const isInside = ({ x, y }: Point) => x >= left && y >= top && x < left + width && y < top + height;
  return {
    ...scene,
    width,
    height,
    origin: { x: scene.origin.x + left, y: scene.origin.y + top },
    ground: rows(scene.ground),
    visibility: rows(scene.visibility),
    things: scene.things.filter(isInside).map((thing) => ({ ...thing, x: thing.x - left, y: thing.y - top })),
  };
}
