/** The commands, in the order in which `--help` lists them. */
import { askCommand } from './ask.js';
import { batchCommand } from './batch.js';
import { checkCommand } from './check.js';
import type { AnyCommand } from './command-line.js';
import { diffCommand } from './diff.js';
import { doctorCommand } from './doctor.js';
import { exportCommand } from './export.js';
import { forkCommand } from './fork.js';
import { initCommand } from './init.js';
import { markCommand } from './mark.js';
import { parseCommand } from './parse.js';
import { previewCommand } from './preview.js';
import { replayCommand } from './replay.js';
import { reparseCommand } from './reparse.js';
import { reportCommand } from './report.js';
import { resumeCommand } from './resume.js';
import { runCommand } from './run.js';
import { showCommand } from './show.js';
import { verifyCommand } from './verify.js';
import { viewCommand } from './view.js';
import { MODULES } from '../assembly/environments.js';
import type { EnvironmentModule } from '../assembly/environments.js';

export function commandsFor(modules: readonly EnvironmentModule[] = MODULES): readonly AnyCommand[] {
  return [
    runCommand(modules),
    batchCommand(modules),
    checkCommand(modules),
    previewCommand(modules),
    parseCommand(modules),
    showCommand(modules),
    replayCommand(modules),
    viewCommand(modules),
    verifyCommand(modules),
    diffCommand(modules),
    reparseCommand(modules),
    reportCommand,
    resumeCommand(modules),
    forkCommand(modules),
    askCommand,
    markCommand(modules),
    exportCommand(modules),
    doctorCommand(modules),
    initCommand,
  ];
}
