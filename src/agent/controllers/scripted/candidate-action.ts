/** A wish of the scripted controller: what it would say, and why. In: nothing; out: the shape that everything which wishes gives back. */
export interface CandidateAction {
  /** As it would be said: `TAKE brass-key`. */
  readonly command: string;
  /** One sentence of reasoning. */
  readonly why: string;
  readonly isFree?: boolean;
  /** What the notebook keeps when the wish is said. */
  readonly note?: {
    readonly read?: string;
    readonly told?: string;
    readonly seenUp?: string;
    readonly worn?: string;
    readonly looked?: string;
  };
}
