/**
 * The cost of a run's frames, by model: a sink before the log that remembers each model's last frame and the
 * server's count of its tokens, if it reports one. Controllers without a model are left out.
 */
import { passThroughSink } from '../../trajectory/passing-sink.js';
import type { CallRequest } from '../../trajectory/records.js';
import type { RunSink } from '../../trajectory/sink.js';
import { costOfFrame, describeFrameCost } from '../../model/frame-words.js';
import type { FrameSize } from '../../model/frame-words.js';
import { pngSize } from '../../render/png.js';

interface CountedFrame {
  model: string;
  frame: FrameSize;
}

export class FramesSent {
  readonly #tilePixels: number;
  readonly #sentFrames = new Map<number, CountedFrame>();
  readonly #answeredFrames = new Map<string, { frame: FrameSize; reportedTokens: number | null }>();

  constructor(tilePixels: number) {
    this.#tilePixels = tilePixels;
  }

  countFrames(sink: RunSink): RunSink {
    return {
      ...passThroughSink(sink),
      request: (call, durable) => {
        const sent = this.#frameOf(call);
        if (sent !== null) this.#sentFrames.set(call.call, sent);
        sink.request(call, durable);
      },
      reply: (runId, call, end, durable) => {
        const sent = this.#sentFrames.get(call);
        this.#sentFrames.delete(call);
        if (sent !== undefined && end.kind === 'replied')
          this.#answeredFrames.set(sent.model, {
            frame: sent.frame,
            reportedTokens: end.reply.usage.imageTokens,
          });
        sink.reply(runId, call, end, durable);
      },
    };
  }

  /**
   * Null if no model was asked, or not with exactly one picture, because then the counted tokens are not
   * those of one frame.
   */
  #frameOf({ settings, messages }: CallRequest): CountedFrame | null {
    const model = settings?.['model'];
    const images = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'image'));
    const [image] = images;
    if (typeof model !== 'string' || image === undefined || images.length > 1) return null;
    return { model, frame: { ...pngSize(image.png), tilePixels: this.#tilePixels } };
  }

  /** One line per model, in the order of their first answers; with names if there are several. */
  lines(): readonly string[] {
    return [...this.#answeredFrames].map(([model, { frame, reportedTokens }]) => {
      const text = describeFrameCost(model, frame, reportedTokens);
      return this.#answeredFrames.size === 1 ? text : `${text} (${model})`;
    });
  }

  /** The same for `run --json`; its shape is documented in docs/reference/commands.md. */
  document(): readonly object[] {
    return [...this.#answeredFrames].map(([model, { frame, reportedTokens }]) => {
      const { family, reckoned, isTileAToken, preset } = costOfFrame(model, frame, reportedTokens);
      return {
        model,
        width: frame.width,
        height: frame.height,
        tokens: reportedTokens,
        family,
        reckoned_tokens: reckoned,
        tile_is_token: isTileAToken,
        preset,
      };
    });
  }
}
