/**
 * Draws scenes as the program did: from the same tiles, by the same code. A picture that was sent has exactly
 * the pixels of the logged one; a test compares them.
 */
import { lookUp } from '../../base/look-up.js';
import { at } from '../../base/assert.js';
import type { Scene } from '../../environment/scene.js';
import { assembleTileset, type Tileset } from '../../render/assemble.js';
import { readManifest } from '../../render/manifest.js';
import { drawScene } from '../../render/raster.js';
import { readFont, type Raster } from '../../render/text.js';
import type { PageData, PageRun } from '../page-data.js';
import { unpackScene } from '../packed-scene.js';

/** The number of cached scenes: about as many as are shown while scrubbing back and forth. */
const MAX_SCENES = 512;

export class TileCache {
  #data: PageData;
  readonly #tilesets = new Map<string, Tileset>();
  readonly #colours = new WeakMap<object, Uint32Array>();
  readonly #scenes = new Map<number, Scene>();

  constructor(data: PageData) {
    this.#data = data;
  }

  /** Takes more data; cached scenes stay valid. */
  extend(data: PageData): void {
    this.#data = data;
  }

  scene(index: number): Scene {
    const known = this.#scenes.get(index);
    if (known !== undefined) return known;
    const scene = unpackScene(at(this.#data.scenes, index), this.#data);
    this.#scenes.set(index, scene);
    const [oldest] = this.#scenes.keys();
    if (this.#scenes.size > MAX_SCENES && oldest !== undefined) this.#scenes.delete(oldest);
    return scene;
  }

  tileset(run: Pick<PageRun, 'tileset' | 'skin'>): Tileset {
    const key = `${run.tileset} ${run.skin}`;
    const known = this.#tilesets.get(key);
    if (known !== undefined) return known;
    const { manifest: text, images } = at(this.#data.tilesets, run.tileset);
    const manifest = readManifest(text, 'the log');
    const image = (name: string) => {
      const packed = lookUp(images, name);
      if (packed === undefined) throw new Error('the page lacks an image of its tileset');
      return { width: packed.width, height: packed.height, data: bytesOf(packed.data) };
    };
    const font = manifest.font === null ? null : readFont(image(manifest.font.image), manifest.font);
    const made = assembleTileset(manifest, image(manifest.image), font).skinned(run.skin);
    this.#tilesets.set(key, made);
    return made;
  }

  /** A scene at the art's own size. */
  raster(scene: Scene, tileset: Tileset): Raster {
    return drawScene(scene, tileset, { ruler: false });
  }

  /** Draws a raster on a canvas and sets its size. */
  show(canvas: HTMLCanvasElement, raster: Raster, tileset: Tileset): void {
    const { indices, width, height } = raster;
    const image = imageFor(canvas, width, height);
    const colours = this.#coloursOf(tileset);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < indices.length; i++) pixels[i] = colours[indices[i] ?? 0] ?? 0;
    canvas.getContext('2d')?.putImageData(image, 0, 0);
  }

  /** The picture that was sent, pixel for pixel. */
  async showSent(canvas: HTMLCanvasElement, run: PageRun, index: number): Promise<void> {
    const picture = at(this.#data.pictures, index);
    canvas.dataset['hash'] = picture.hash;
    if ('png' in picture) {
      await showFile(canvas, picture.png);
      return;
    }
    const tileset = this.tileset(run);
    const raster = drawScene(this.scene(picture.scene), tileset, { ruler: run.ruler });
    this.show(canvas, enlarged(raster, tileset.art, run.cell), tileset);
  }

  #coloursOf(tileset: Tileset): Uint32Array {
    const { palette } = tileset.colours;
    const known = this.#colours.get(palette);
    if (known !== undefined) return known;
    const bytes = new Uint8Array(palette.size * 4);
    for (let i = 0; i < palette.size; i++) {
      bytes.set(palette.rgb.subarray(i * 3, i * 3 + 3), i * 4);
      bytes[i * 4 + 3] = 255;
    }
    const made = new Uint32Array(bytes.buffer);
    this.#colours.set(palette, made);
    return made;
  }
}

/** Cached per canvas, because successive pictures usually have the same size. */
const images = new WeakMap<HTMLCanvasElement, ImageData>();

function imageFor(canvas: HTMLCanvasElement, width: number, height: number): ImageData {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const known = images.get(canvas);
  if (known?.width === width && known.height === height) return known;
  const made = new ImageData(width, height);
  images.set(canvas, made);
  return made;
}

/** The bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * Enlarges tiles from `art` to `cell` pixels, exactly as the program does: pixel i shows floor(i · art /
 * cell).
 */
function enlarged({ indices, width, height }: Raster, art: number, cell: number): Raster {
  const sourceIndices = (length: number) =>
    Uint32Array.from({ length: (length / art) * cell }, (_, i) => {
      return Math.floor(i / cell) * art + Math.floor(((i % cell) * art) / cell);
    });
  const [columns, rows] = [sourceIndices(width), sourceIndices(height)];
  const out = new Uint16Array(columns.length * rows.length);
  let to = 0;
  for (const row of rows) for (const column of columns) out[to++] = indices[row * width + column] ?? 0;
  return { indices: out, width: columns.length, height: rows.length };
}

async function showFile(canvas: HTMLCanvasElement, png: string): Promise<void> {
  const picture = await createImageBitmap(new Blob([bytesOf(png)], { type: 'image/png' }));
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
}
