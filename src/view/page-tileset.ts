/** A tileset for the page's data. */
import { decodePng } from '../render/png-input.js';
import type { PageImage, PageTileset } from './page-data.js';

export async function pageTileset(
  manifest: string,
  images: Readonly<Record<string, Uint8Array>>,
): Promise<PageTileset> {
  const decoded: [string, PageImage][] = [];
  for (const [name, bytes] of Object.entries(images)) {
    const { width, height, data } = await decodePng(bytes, name);
    decoded.push([name, { width, height, data: Buffer.from(data).toString('base64') }]);
  }
  return { manifest, images: Object.fromEntries(decoded) };
}
