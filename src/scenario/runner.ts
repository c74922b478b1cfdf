/** What a runner's file says, as plain data: which programs play which entities of a served world. */

/** A program that plays entities. */
export interface RunnerProgram {
  /** What it is called in logs. */
  readonly name: string;
  /** An entity needs all of these. */
  readonly tags: readonly string[];
  /** Path of the program; started without arguments. */
  readonly program: string;
  /** Variables that it gets beside the runner's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the runner's own variables that it gets too. */
  readonly passEnv: readonly string[];
  /** What its configuration file holds, as JSON text. */
  readonly config: string;
}

export interface RunnerSpec {
  /** Address of the served world. */
  readonly world: string;
  /** Variable that holds the token for it; null: none. */
  readonly tokenEnv: string | null;
  /** Paths of certificates for a connection by TLS; null: none. */
  readonly certificates: {
    readonly ca: string | null;
    readonly cert: string | null;
    readonly key: string | null;
  };
  /** Tried in this order: the first whose tags an entity has plays it. */
  readonly programs: readonly RunnerProgram[];
  /** Plays an entity whose program was given up; null: nobody does. */
  readonly fallback: RunnerProgram | null;
  /** Folder of what programs print. */
  readonly logs: string;
}
