/**
 * Pictures as separate files, `images/00001/000012-knight-1.png`: in a folder with the run's number, named
 * after the first sample of the run that shows them, so names sort in the order of the run. Within a run a
 * picture is written once, however many samples show it, and the run's folder gets its final name once all
 * its pictures are complete.
 */
import type { PictureEncoder } from './pictures.js';
import type { SampleImage } from './prompt-turn.js';
import type { ExportSample } from './sample.js';
import type { ExportTarget } from './target.js';

export class ImagesFolder {
  /** The number of files, and their total bytes. */
  files = 0;
  bytes = 0;
  readonly #target: ExportTarget;
  readonly #encoder: PictureEncoder;
  #run = '';
  /** The names by hash, for the current run. */
  readonly #names = new Map<string, string>();

  constructor(target: ExportTarget, encoder: PictureEncoder) {
    this.#target = target;
    this.#encoder = encoder;
  }

  /** The names of a sample's pictures, below the export's folder; writes those that are new. */
  async names(sample: ExportSample): Promise<readonly string[]> {
    const { key } = sample;
    const pictures = sample.pictures();
    const end = key.indexOf('-');
    if (key.slice(0, end) !== this.#run) this.#begin(key.slice(0, end));
    const stem = `${folderOf(this.#run)}/${key.slice(end + 1)}`;
    const names: string[] = [];
    for (const [i, picture] of pictures.entries()) {
      const suffix = i === pictures.length - 1 ? '' : `-before-${i + 1}`;
      names.push(
        this.#names.get(picture.hash) ??
          (await this.#write(`${stem}${suffix}.${this.#encoder.extension}`, picture)),
      );
    }
    return names;
  }

  /** All pictures are written: the last folder gets its final name. */
  end(): void {
    if (this.#run !== '') this.#target.settle(folderOf(this.#run));
    this.#run = '';
  }

  /** Counts a picture that a format wrote elsewhere. */
  count(bytes: number): void {
    this.files += 1;
    this.bytes += bytes;
  }

  #begin(run: string): void {
    this.end();
    this.#names.clear();
    this.#run = run;
    this.#target.stage(folderOf(run));
  }

  async #write(name: string, picture: SampleImage): Promise<string> {
    this.#names.set(picture.hash, name);
    const known = this.#target.finishedBytes(name);
    this.count(known ?? this.#target.put(name, await this.#encoder.bytes(picture)));
    return name;
  }
}

function folderOf(run: string): string {
  return `images/${run}`;
}
