/** A runner's file as plain data: which programs play which entities of a served world. */

/** A program that plays entities. */
export interface RunnerProgram {
  /** Its name in logs. */
  name: string;
  /** An entity must have all of these. */
  tags: readonly string[];
  /** Path of the program. */
  program: string;
  args: readonly string[];
  /** Variables that it gets in addition to the runner's own. */
  env: Readonly<Record<string, string>>;
  /** Names of the runner's own variables that it also gets. */
  passEnv: readonly string[];
  /** The contents of its configuration file, as JSON text. */
  config: string;
  /** Path of its configuration file, which takes the place of `config`; null: none. */
  configFile: string | null;
}

/** When a program that has ended is started again; the first start does not count. */
export interface RestartPolicy {
  firstWaitMs: number;
  longestWaitMs: number;
  /** Within the window. */
  max: number;
  windowMs: number;
}

export interface RunnerSpec {
  /** Address of the served world. */
  world: string;
  /** The variable with the token for it; null: none. */
  tokenEnv: string | null;
  /** Paths of certificates for a TLS connection; null: none. */
  certificates: {
    ca: string | null;
    cert: string | null;
    key: string | null;
  };
  /** Tried in this order: an entity is played by the first one whose tags it has. */
  programs: readonly RunnerProgram[];
  /** Plays an entity whose program was given up; null: no one does. */
  fallback: RunnerProgram | null;
  restarts: RestartPolicy;
  /** The folder for the output of programs. */
  logs: string;
}
