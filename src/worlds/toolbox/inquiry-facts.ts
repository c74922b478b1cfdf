/**
 * The facts of a world with a question and tools: an agent's knowledge as JSON, for programs that play. Any
 * controller that reads this shape can play any world that fills it. The types are aliases, because an
 * interface is not assignable to a JSON object.
 */
export type InquiryFacts = {
  /** The question to be answered. */
  question: string;
  /** The output of the agent's last call; null before the first. */
  result: {
    tool: string;
    /** As one line. */
    input: string;
    ok: boolean;
    /** The result in words; of a text, its lines. */
    lines: readonly string[];
  } | null;
};
