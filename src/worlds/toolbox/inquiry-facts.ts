/**
 * The facts of a world where something is to be found out with tools: an agent's knowledge as JSON, for programs that play. A world that
 * fills this shape can be played by any controller that reads it. The types are aliases, since an interface is not assignable to
 * a JSON object.
 */
export type InquiryFacts = {
  /** What is to be found out. */
  readonly question: string;
  /** What the agent's last call gave; null before the first. */
  readonly result: {
    readonly tool: string;
    /** As one line. */
    readonly input: string;
    readonly ok: boolean;
    /** The result in words; of a text, its lines. */
    readonly lines: readonly string[];
  } | null;
};
