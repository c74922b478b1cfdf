/**
 * The library's door: re-exports only. What stands here is meant to be built on; everything else may change.
 */
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
export { canonicalJson, hashJson, hashOf, hashOfParts } from './base/canonical.js';
export { LIMITS } from './base/limits.js';
export { nextBelow, nextUint32, pick, stream } from './base/rng.js';
export type { Draw, RngState } from './base/rng.js';
export { actionRegistry } from './environment/action.js';
export type { Action, ActionRegistry, Applied, Args, Event, Intent } from './environment/action.js';
export { defineAction, defineEnvironment } from './environment/define.js';
export type { ActionSpec, Defined, EnvironmentSpec, OwnAction, WithAgents } from './environment/define.js';
export type {
  ActResult,
  Advance,
  Environment,
  EnvironmentKind,
  Outcome,
  SearchAids,
  TurnEnd,
} from './environment/environment.js';
export * as grammar from './environment/grammar.js';
export type { ArgsOf, Grammar } from './environment/grammar.js';
export type { Noun, Observation, OfferedAction, Section } from './environment/observation.js';
export type { Scene, SceneMark, SceneThing } from './environment/scene.js';
export type { Direction, Point } from './environment/space.js';
export type { RepairFacts } from './environment/repair-facts.js';
export type { SpatialFacts } from './environment/spatial-facts.js';
export { doneAction, waitAction } from './environment/standard-actions.js';
export { stateHash } from './environment/state-hash.js';
export { MODULES, gridWith, toolboxWith } from './assembly/environments.js';
export type { EnvironmentModule } from './assembly/environments.js';
export { openScenario } from './assembly/open.js';
export type { OpenOptions, Opened } from './assembly/open.js';
export { prepare } from './assembly/play.js';
export type { PlayOptions, Prepared } from './assembly/play.js';
export { runScenario, scenarioFile, scenarioSteps } from './assembly/run-scenario.js';
export type { RunOptions, ScenarioRun, ScenarioSource } from './assembly/run-scenario.js';
export { vocabularyOf } from './assembly/seats.js';
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
export { scriptedController } from './agent/controllers/scripted.js';
export type { Memory, Turn } from './agent/memory.js';
export { userMessage } from './agent/memory.js';
export { historyMemory, noMemory, windowMemory } from './agent/memories/turns.js';
export { composer } from './agent/prompt.js';
export type { Composer } from './agent/prompt.js';
export { interview } from './assembly/interview.js';
export type { InterviewOptions } from './assembly/interview.js';
export { memoryFiles } from './assembly/memory-files.js';
export type { MemoryStore } from './assembly/memory-files.js';
export { genesis } from './log/chain.js';
export { MemorySink } from './log/memory-sink.js';
export { LogReader } from './log/reader.js';
export type { RunEnd, RunRecord, StepRecord } from './log/records.js';
export type { RunSink } from './log/sink.js';
export { LogWriter } from './log/writer.js';
export { FREE_FORM } from './model/chat.js';
export type { ChatModel, Message, MessagePart, Reply, RequestForm } from './model/chat.js';
export { openChatModel } from './model/openai.js';
export { TurnOrchestrator } from './orchestrator/turn-orchestrator.js';
export type { Performer, RunParts, RunWatcher, Seat, StopSignals } from './orchestrator/parts.js';
export { interpret } from './parse/interpret.js';
export type { Interpretation } from './parse/interpret.js';
export type { Protocol, Vocabulary } from './parse/protocol.js';
export type { Command, Reading } from './parse/reading.js';
export { protocolOf } from './parse/protocols.js';
export { drawFrame } from './render/draw.js';
export { encodePng } from './render/png.js';
export { loadTileset } from './render/tileset.js';
export { loadScenario } from './scenario/load.js';
export type { AgentSpec, ModelSpec, Scenario } from './scenario/scenario.js';
export { settingsReader, z } from './scenario/settings-reader.js';
export type { WorldReader } from './scenario/world.js';
export { regretOfRun } from './assembly/regret.js';
export { playReplies, winnable } from './assembly/winnable.js';
export type { Move, Winnable } from './assembly/winnable.js';
export { regretOf } from './solve/regret.js';
export type { Distance, StepRegret, TakenStep } from './solve/regret.js';
export { isWonBy, solve, solveFrom } from './solve/solve.js';
export type { PlannedAct, Solution, SolveOptions } from './solve/solve.js';
export { grid } from './worlds/grid/grid.js';
export * as gridRules from './worlds/grid/rules.js';
export type { MakeAction } from './worlds/grid/registry.js';
export type { GridState } from './worlds/grid/state.js';
export type { GridWorld } from './worlds/grid/world.js';
export { toolbox } from './worlds/toolbox/toolbox.js';
export { workcell } from './worlds/workcell/workcell.js';
