/** A runner's file as plain data: which programs play which entities of a served world. */

/** A program that plays entities. */
export interface RunnerProgram {
  /** Its name in logs. */
  readonly name: string;
  /** An entity must have all of these. */
  readonly tags: readonly string[];
  /** Path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that it gets in addition to the runner's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the runner's own variables that it also gets. */
  readonly passEnv: readonly string[];
  /** The contents of its configuration file, as JSON text. */
  readonly config: string;
  /** Path of its configuration file, which takes the place of `config`; null: none. */
  readonly configFile: string | null;
}

/** When a program that has ended is started again; the first start does not count. */
export interface RestartPolicy {
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Within the window. */
  readonly max: number;
  readonly windowMs: number;
}

export interface RunnerSpec {
  /** Address of the served world. */
  readonly world: string;
  /** The variable with the token for it; null: none. */
  readonly tokenEnv: string | null;
  /** Paths of certificates for a TLS connection; null: none. */
  readonly certificates: {
    readonly ca: string | null;
    readonly cert: string | null;
    readonly key: string | null;
  };
  /** Tried in this order: an entity is played by the first one whose tags it has. */
  readonly programs: readonly RunnerProgram[];
  /** Plays an entity whose program was given up; null: no one does. */
  readonly fallback: RunnerProgram | null;
  readonly restarts: RestartPolicy;
  /** The folder for the output of programs. */
  readonly logs: string;
}
