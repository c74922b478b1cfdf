/**
 * The tables of a page while it is made: every text, thing and scene is stored once and referred to by its
 * index. `take` removes what was added since the last part; indices stay, so that later parts may refer to
 * earlier ones.
 */
import type { Scene } from '../environment/scene.js';
import type { PagePicture, PageTileset } from './page-data.js';
import { packCells, packScene } from './packed-scene.js';
import type { PackedScene, PackedThing } from './packed-scene.js';

/** Each value once; `take` returns those that were added since the last call. */
class ValueTable<T> {
  readonly #indices = new Map<string, number>();
  #added: T[] = [];

  /** The index of a value; `key` identifies it. */
  indexOf(key: string, value: () => T): number {
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    this.#added.push(value());
    const index = this.#indices.size;
    this.#indices.set(key, index);
    return index;
  }

  take(): readonly T[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }
}

/** All tables of one page. */
export class PageTables {
  readonly #texts = new ValueTable<string>();
  readonly #things = new ValueTable<PackedThing>();
  readonly #scenes = new ValueTable<PackedScene>();
  readonly #pictures = new ValueTable<PagePicture>();
  readonly #tilesets = new ValueTable<PageTileset>();
  /** By a scene's ground, which scenes of the same world share until it changes. */
  readonly #cells = new WeakMap<Scene['ground'], { visibility: Scene['visibility']; text: number }>();

  text(text: string): number {
    return this.#texts.indexOf(text, () => text);
  }

  /** Null for a scene that can't be packed. */
  scene(scene: Scene): number | null {
    const packed = packScene(scene, {
      text: (text) => this.text(text),
      cells: (shown) => this.#cellsOf(shown),
      thing: (thing) => this.#things.indexOf(JSON.stringify(thing), () => thing),
    });
    return packed === null ? null : this.#scenes.indexOf(JSON.stringify(packed), () => packed);
  }

  #cellsOf(scene: Scene): number {
    const { ground, visibility } = scene;
    const packed = this.#cells.get(ground);
    if (packed?.visibility === visibility) return packed.text;
    const text = this.text(packCells(scene));
    this.#cells.set(ground, { visibility, text });
    return text;
  }

  /** `key`: everything that the picture depends on. */
  picture(key: string, picture: () => PagePicture): number {
    return this.#pictures.indexOf(key, picture);
  }

  tileset(key: string, tileset: () => PageTileset): number {
    return this.#tilesets.indexOf(key, tileset);
  }

  /** What was added since the last call. */
  take() {
    return {
      texts: this.#texts.take(),
      things: this.#things.take(),
      scenes: this.#scenes.take(),
      pictures: this.#pictures.take(),
      tilesets: this.#tilesets.take(),
    };
  }
}
