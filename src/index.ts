/**
 * The library's entry point: re-exports only, ordered by task. Everything here is public; everything else may
 * change. The headings, the text under them and the order are those of the page of exports,
 * which `npm run docs:site` makes of this file.
 */

// # Run a scenario
// A scenario can be a path, YAML or data. Controllers, protocols and memories that you pass replace those of
// the scenario.
export { runScenario, scenarioSteps } from './assembly/run-scenario.js';
export type { RunOptions, ScenarioRun } from './assembly/run-scenario.js';
export { scenarioFile } from './scenario/folder.js';
export type { ScenarioSource } from './scenario/folder.js';
export { openScenario } from './assembly/open.js';
export type { OpenOptions } from './assembly/open.js';
export type { OpenedScenario } from './assembly/opened-scenario.js';
export { prepare } from './assembly/play.js';
export type { PlayOptions, PreparedRun } from './assembly/play.js';
export type { EffectHandler, RunWatcher, StopSignals } from './orchestrator/run-context.js';
export { memoryFiles } from './assembly/memory-files.js';
export type { MemoryStore } from './assembly/memory-files.js';
export { interview } from './assembly/interview.js';
export type { InterviewOptions } from './assembly/interview.js';
export type { AgentSpec, ModelSpec, Scenario } from './scenario/scenario.js';

// # Custom actions
// An action is defined by a single object; docs/how-to/use-the-library.md explains an example step by step. Its functions
// must not change their inputs.
export { defineAction } from './assembly/define-action.js';
export type { ActionSpec, OwnAction, SpecOutcome, SpokenWords } from './environment/own-action.js';
/** The parts of an action's spoken form. */
export * as grammar from './environment/grammar.js';
export type { ArgsOf, Grammar } from './environment/grammar.js';
export { MODULES } from './worlds/registry.js';
export { gridWith } from './worlds/grid/module.js';
export { toolboxWith } from './worlds/toolbox/module.js';
export type { EnvironmentModule } from './worlds/environment-module.js';
/**
 * What a custom action needs from the grid world: what the actor perceives, where things are, and functions that
 * return a changed state.
 */
export * as gridRules from './worlds/grid/action-helpers.js';
export type { MakeAction } from './worlds/grid/registry.js';
export type { GridState } from './worlds/grid/state.js';
export type { GridWorld } from './worlds/grid/world.js';
export type { Action, ActionOutcome, Args, Event, Intent } from './environment/action.js';

// # Custom environments
// `defineEnvironment` makes an environment from its actions, its first state and the text for an agent
// (docs/how-to/write-an-environment.md); `Environment` is the contract, for a world that is written by hand.
export { defineEnvironment } from './environment/define.js';
export type { DefinedState, EnvironmentSpec, WithAgents } from './environment/environment-spec.js';
export type { AgentNews, HeardWords, NewsFacts } from './environment/news.js';
export { settingsReader } from './scenario/settings-reader.js';
/** The schemas for keys of a scenario: zod 4 (https://zod.dev), the same package that the loader uses. */
export { z } from './scenario/settings-reader.js';
export type { WorldReader } from './scenario/world.js';
export type {
  ActResult,
  Advance,
  Environment,
  EnvironmentKind,
  Outcome,
  SearchAids,
  TurnEnd,
} from './environment/environment.js';
export type { Noun, Observation, OfferedAction, Section } from './environment/observation.js';
export type { Scene, SceneMark, SceneThing } from './environment/scene.js';
export type { Direction, Point } from './environment/space.js';
export type { RepairFacts } from './worlds/workcell/repair-facts.js';
export type { SpatialFacts } from './environment/spatial-facts.js';
export { actionRegistry } from './environment/action.js';
export type { ActionRegistry } from './environment/action.js';
export { doneAction, speakAction, waitAction } from './environment/standard-actions.js';
export type { SpeakSpec } from './environment/standard-actions.js';
export { stateHash } from './environment/state-hash.js';

// # Custom controllers
// A controller decides for an agent. You can also pass the built-in controllers, or wrap them.
export type { Controller, ControllerInput, Decision, Introduction } from './agent/controller.js';
export { embeddedReply } from './agent/controllers/embedded-reply.js';
export { humanController } from './agent/controllers/human.js';
export type { Person } from './agent/controllers/human.js';
export { modelController } from './agent/controllers/model.js';
export { processController } from './agent/controllers/process.js';
export type { ProcessOptions } from './agent/controllers/process.js';
export type { Program, ProgramListener, RunningProgram } from './agent/controllers/process/program.js';
export { localProgram } from './assembly/local-program.js';
export { randomController } from './agent/controllers/random.js';
export { repliesController } from './agent/controllers/replies.js';
export { scriptedController } from './worlds/scripted-controller.js';

// # Custom models
// `modelController` asks a model: any server with the chat completions API of OpenAI, or an object that
// implements `ChatModel`.
export { FREE_FORM } from './model/chat.js';
export type { ChatModel, IsAhead, Message, MessagePart, Reply, RequestForm } from './model/chat.js';
export { openChatModel } from './model/openai.js';
export { systemDependencies } from './model/dependencies.js';

// # Custom protocols
// A protocol consists of the instructions for answering and the parser of the answers
// (docs/reference/protocols.md).
export type { Protocol, ReplyOrigin } from './parse/protocol.js';
export type { ReplyForm } from './forms/reply-form.js';
export type { Vocabulary } from './forms/vocabulary.js';
export type { Command, ReplyReading } from './parse/reading.js';
export { protocolOf } from './parse/protocols.js';

// # Custom memories
// A memory holds the past that an agent's prompt contains. It is immutable: remembering returns another one.
export type { Memory, MemoryTurn } from './agent/memory.js';
export { userMessage } from './agent/memory.js';
export { historyMemory, noMemory, windowMemory } from './agent/memories/turns.js';

// # Read and write a log
// A log is one SQLite file that can contain many runs (docs/reference/log.md).
export { LogReader } from './log/reader.js';
export type { StepFilter } from './log/queries.js';
export type { RunSummary } from './trajectory/run-summary.js';
export type { LoggedCall, RunEnd, RunRecord, StepRecord } from './trajectory/records.js';
export { LogWriter } from './log/writer.js';
export { MemorySink } from './trajectory/memory-sink.js';
export type { RunSink } from './trajectory/sink.js';

// # Verify a run
// A logged run is replayed from its log alone and compared.
export { verifyRun } from './replay/verify.js';
export type { OpenStage, ReplayStage, VerifiedRun, VerifyOptions } from './replay/verify.js';
export { stageOpener } from './assembly/stage.js';
export type { ReplayDifference } from './replay/difference.js';

// # Continue or fork a run
// These functions need only the log, and write to it.
export { forkRun, resumeRun } from './assembly/resume.js';
export type { ForkOptions, GoneOn, ResumeOptions } from './assembly/resume.js';

// # Compare runs and parse their replies again
// These functions need only the logs; `stageOpener` opens their runs.
export { diffRuns } from './replay/diff/run-diff.js';
export type { DiffOptions, RunDiff } from './replay/diff/run-diff.js';
export type { DiffSide, RunSides } from './replay/diff/aligned-steps.js';
export { readAgain } from './replay/reparse.js';
export type { ReadAgain } from './replay/reparse.js';

// # Make a data set
// `exportLogs` does the same as `orchestrate export` (docs/reference/data-sets.md).
export { exportLogs } from './export/export-logs.js';
export type { ExportOptions, ExportSummary } from './export/export-logs.js';

// # Draw a frame
// The same scene and tileset give the same pixels on every machine.
export { drawFrame } from './render/draw.js';
export type { DrawOptions } from './render/draw.js';
export type { Frame } from './render/frame.js';
export { encodePng } from './render/png.js';
export { loadTileset } from './render/tileset.js';
export type { Tileset, TilesetSource } from './render/tileset.js';

// # Parse a reply
// `interpret` does the same as `orchestrate parse`.
export { interpret } from './binding/interpret.js';
export type { Interpretation } from './binding/interpret.js';
export { vocabularyOf } from './assembly/seats.js';

// # Search for a way to win
// The search uses the environment's own rules; the effort is the maximum number of steps that it tries.
export { playReplies, winnable } from './assembly/winnable.js';
export type { WinningMove, Winnable } from './assembly/winnable.js';
export { regretOfRun } from './assembly/regret.js';
export type { GoalDistance, StepRegret } from './solve/regret.js';
export { solve } from './solve/solve.js';
export type { PlannedAct, Solution, SolveOptions } from './solve/solve.js';

// # Base
// This group has JSON, problems (reported to the agent), errors (reported to you), limits, and random streams
// from a seed.
export type { Json, JsonObject } from './base/json.js';
export type { Problem, ProblemCode } from './base/problem.js';
export { problem } from './base/problem.js';
export {
  ControllerError,
  ModelError,
  OrchestrateError,
  ScenarioError,
  StorageError,
  UsageError,
} from './base/errors.js';
export type { Diagnostic } from './base/errors.js';
export { canonicalJson, hashJson } from './base/canonical.js';
export { LIMITS } from './base/limits.js';
export { nextBelow, pick, stream } from './base/rng.js';
export type { RandomDraw, RngState } from './base/rng.js';
