/**
 * The commands in the order of `--help`: their summaries, and how each is loaded. Only the requested command
 * is loaded, because loading everything takes several times as long.
 */
import type { CommandBody, ListedCommand } from './options/command-line.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';

const COMMANDS: readonly (Omit<ListedCommand, 'load'> & {
  load: (modules: readonly EnvironmentModule[]) => Promise<CommandBody>;
})[] = [
  {
    usage: 'run <scenario..>',
    summary: 'Play a scenario',
    load: async (modules) => (await import('./commands/run.js')).runCommand(modules),
  },
  {
    usage: 'batch <file>',
    summary: 'Play many runs at once, by scenario, model, seed and switch',
    load: async (modules) => (await import('./commands/batch.js')).batchCommand(modules),
  },
  {
    usage: 'worker',
    summary: 'Play runs of a batch from a queue, together with other machines',
    load: async (modules) => (await import('./commands/worker.js')).workerCommand(modules),
  },
  {
    usage: 'check <scenario..>',
    summary: 'Find every mistake in a scenario and check whether it can be won',
    load: async (modules) => (await import('./commands/check.js')).checkCommand(modules),
  },
  {
    usage: 'preview <scenario>',
    summary: "Draw the map or an agent's first frame, or print its first request",
    load: async (modules) => (await import('./commands/preview.js')).previewCommand(modules),
  },
  {
    usage: 'parse <scenario>',
    summary: 'Show how a reply on standard input is parsed',
    load: async (modules) => (await import('./commands/parse.js')).parseCommand(modules),
  },
  {
    usage: 'show <log>',
    summary: 'Print a logged run, or one of its steps',
    load: async (modules) => (await import('./commands/show.js')).showCommand(modules),
  },
  {
    usage: 'replay <log>',
    summary: 'Step through a logged run, or make a picture or a film of it',
    load: async (modules) => (await import('./commands/replay.js')).replayCommand(modules),
  },
  {
    usage: 'view <logs..>',
    summary: 'Show logged runs as a page in the browser, or write it as one file',
    load: async (modules) => (await import('./commands/view.js')).viewCommand(modules),
  },
  {
    usage: 'verify <log..>',
    summary: 'Replay logged runs and compare every step',
    load: async (modules) => (await import('./commands/verify.js')).verifyCommand(modules),
  },
  {
    usage: 'diff <a> [b]',
    summary: 'Show where two logged runs diverge, and how they differ from then on',
    load: async (modules) => (await import('./commands/diff.js')).diffCommand(modules),
  },
  {
    usage: 'reparse <log..>',
    summary: 'Parse stored replies again with the current parser',
    load: async (modules) => (await import('./commands/reparse.js')).reparseCommand(modules),
  },
  {
    usage: 'report <log..>',
    summary: 'Summarise runs in tables and plots, by scenario and model',
    load: async (modules) => (await import('./commands/report.js')).reportCommand(modules),
  },
  {
    usage: 'serve <scenario>',
    summary: 'Serve a scenario to programs (gRPC, JSON), agent harnesses (MCP, /mcp) and people (/seat)',
    load: async (modules) => (await import('./commands/serve.js')).serveCommand(modules),
  },
  {
    usage: 'mcp [scenario]',
    summary: 'Let an agent harness play an entity, over the Model Context Protocol',
    load: async (modules) => (await import('./commands/mcp.js')).mcpCommand(modules),
  },
  {
    usage: 'agent',
    summary: 'Play one entity of a served world',
    load: async () => (await import('./commands/agent.js')).agentCommand,
  },
  {
    usage: 'runner <file>',
    summary: "Run the programs that play a served world's entities",
    load: async () => (await import('./commands/runner.js')).runnerCommand,
  },
  {
    usage: 'resume <log>',
    summary: 'Continue an interrupted run',
    load: async (modules) => (await import('./commands/resume.js')).resumeCommand(modules),
  },
  {
    usage: 'fork <log>',
    summary: 'Continue a run from a given step, with something changed, as a new run',
    load: async (modules) => (await import('./commands/fork.js')).forkCommand(modules),
  },
  {
    usage: 'branch <log>',
    summary: 'Play alternative answers at costly steps, for preference pairs',
    load: async (modules) => (await import('./commands/branch.js')).branchCommand(modules),
  },
  {
    usage: 'ask <log> <question>',
    summary: "Ask an agent's model about a step of a logged run",
    load: async () => (await import('./commands/ask.js')).askCommand,
  },
  {
    usage: 'mark <log>',
    summary: 'Accept, reject or correct a step, for data sets',
    load: async (modules) => (await import('./commands/mark.js')).markCommand(modules),
  },
  {
    usage: 'export <log..>',
    summary: 'Write logged runs as a data set',
    load: async (modules) => (await import('./commands/export.js')).exportCommand(modules),
  },
  {
    usage: 'doctor [scenario]',
    summary: 'Check what this machine and a model server can do',
    load: async (modules) => (await import('./commands/doctor.js')).doctorCommand(modules),
  },
  {
    usage: 'init [folder]',
    summary: 'Start a project of your own: a scenario, an action and its test',
    load: async () => (await import('./commands/init.js')).initCommand,
  },
];

/** With these worlds, or with the built-in ones. */
export function commandsFor(modules?: readonly EnvironmentModule[]): readonly ListedCommand[] {
  return COMMANDS.map((entry) => ({
    ...entry,
    load: async () => entry.load(modules ?? (await import('../worlds/registry.js')).MODULES),
  }));
}
