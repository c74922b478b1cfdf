/**
 * `webdataset`: tar files in which neighbouring files of one name are one sample: `KEY.json`, `KEY.png` (the
 * newest picture) and, if earlier ones are shown, `KEY.0.png`, `KEY.1.png` … before it. Times and owners are
 * constant, so the bytes are always the same.
 */
import { pack } from 'tar-stream';
import type { Pack } from 'tar-stream';
import { columnsOf, neverNull } from '../columns.js';
import type { ExportFormat } from '../format.js';
import type { PictureEncoder } from '../pictures.js';
import { shardWriter } from '../shards.js';
import type { Shard } from '../shards.js';
import type { ExportTarget } from '../target.js';
import { conversation } from './trl.js';

export const webdataset: ExportFormat = {
  name: 'webdataset',
  about: 'tar shards of KEY.json and KEY.png',
  needsPicture: false,
  dataFiles: (split) => `${split}-*.tar`,
  open: (context) =>
    shardWriter(context, {
      name: (split, number) => `${split}-${number}.tar`,
      open: (target, name) => tarShard(target, name, context.encoder),
    }),
};

function tarShard(target: ExportTarget, name: string, encoder: PictureEncoder): Shard {
  const file = target.open(name);
  const tar = pack();
  // The error is thrown by the code that writes to the tar. In the tar's own stream nothing could catch it.
  let failure: unknown = null;
  const write = (chunk: Uint8Array): void => {
    if (failure !== null) return;
    try {
      file.write(chunk);
    } catch (error) {
      failure = error;
    }
  };
  const assertWritten = (): void => {
    if (failure !== null) throw failure;
  };
  const ended = new Promise<void>((resolve, reject) => {
    tar.on('data', (chunk) => write(chunk as Uint8Array));
    tar.on('end', () => resolve());
    tar.on('error', reject);
  });
  return {
    add: async ({ sample }) => {
      const pictures = sample.pictures();
      const ending = encoder.extension;
      const names = pictures.map((_, i) => (i === pictures.length - 1 ? ending : `${i}.${ending}`));
      const json = {
        id: sample.key,
        ...columnsOf(sample, neverNull),
        images: names,
        ...conversation({ sample }),
      };
      await entry(tar, `${sample.key}.json`, Buffer.from(JSON.stringify(json)));
      for (const [i, picture] of pictures.entries()) {
        const { buffer, byteOffset, byteLength } = await encoder.bytes(picture);
        // A view of the same bytes, not a copy.
        const bytes = Buffer.from(buffer, byteOffset, byteLength);
        await entry(tar, `${sample.key}.${names[i] ?? ''}`, bytes);
      }
      assertWritten();
    },
    keep: async () => {
      tar.finalize();
      await ended;
      assertWritten();
      return file.keep();
    },
  };
}

function entry(tar: Pack, name: string, bytes: Buffer): Promise<void> {
  const head = { name, size: bytes.length, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 };
  return new Promise((resolve, reject) => {
    tar.entry(head, bytes, (error) => (error == null ? resolve() : reject(error)));
  });
}
