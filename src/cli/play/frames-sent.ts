/**
 * The cost of a run's frames, by model: a sink before the log that remembers each model's last frame and the
 * server's count of its tokens, if it reports one. In: requests and replies on their way to the log; out: a
 * line per model for the summary, or figures. Controllers without a model are left out.
 */
import { passThroughSink } from '../../trajectory/passing-sink.js';
import type { CallRequest } from '../../trajectory/records.js';
import type { RunSink } from '../../trajectory/sink.js';
import { costOfFrame, describeFrameCost } from '../../model/frame-words.js';
import type { FrameSize } from '../../model/frame-words.js';
import { pngSize } from '../../render/png.js';

interface CountedFrame {
  readonly model: string;
  readonly frame: FrameSize;
}

export class FramesSent {
  readonly #tilePixels: number;
  readonly #asked = new Map<number, CountedFrame>();
  readonly #answered = new Map<string, { readonly frame: FrameSize; readonly told: number | null }>();

  constructor(tilePixels: number) {
    this.#tilePixels = tilePixels;
  }

  counting(sink: RunSink): RunSink {
    return {
      ...passThroughSink(sink),
      request: (call, durable) => {
        const sent = this.#sentWith(call);
        if (sent !== null) this.#asked.set(call.call, sent);
        sink.request(call, durable);
      },
      reply: (runId, call, end, durable) => {
        const sent = this.#asked.get(call);
        this.#asked.delete(call);
        if (sent !== undefined && end.kind === 'replied')
          this.#answered.set(sent.model, { frame: sent.frame, told: end.reply.usage.imageTokens });
        sink.reply(runId, call, end, durable);
      },
    };
  }

  /**
   * Null if no model was asked, or not with exactly one picture, because then the counted tokens are not
   * those of one frame.
   */
  #sentWith({ settings, messages }: CallRequest): CountedFrame | null {
    const model = settings?.['model'];
    const images = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'image'));
    const [image] = images;
    if (typeof model !== 'string' || image === undefined || images.length > 1) return null;
    return { model, frame: { ...pngSize(image.png), tilePixels: this.#tilePixels } };
  }

  /** One line per model, in the order of their first answers; with names if there are several. */
  lines(): readonly string[] {
    return [...this.#answered].map(([model, { frame, told }]) => {
      const words = describeFrameCost(model, frame, told);
      return this.#answered.size === 1 ? words : `${words} (${model})`;
    });
  }

  /** The same for `run --json`; its shape is documented in docs/reference/commands.md. */
  document(): readonly object[] {
    return [...this.#answered].map(([model, { frame, told }]) => {
      const { family, reckoned, isTileAToken, preset } = costOfFrame(model, frame, told);
      return {
        model,
        width: frame.width,
        height: frame.height,
        tokens: told,
        family,
        reckoned_tokens: reckoned,
        tile_is_token: isTileAToken,
        preset,
      };
    });
  }
}
