/**
 * Perception probes: at chosen steps, before the call that acts, an agent is asked a question with a known
 * answer. It gets the same text and picture as that call, in a separate conversation that is not remembered.
 * So a report can distinguish an agent that did not see from one that saw and reasoned badly. The calls are
 * outside the step; if a model can't be asked, the run is unaffected.
 */
import { probesFor, probeText, readProbe } from '../agent/probes/probes.js';
import type { KnowledgeProbe } from '../agent/probes/probe.js';
import type { SeenPicture } from '../agent/memory.js';
import { ModelError } from '../base/errors.js';
import type { Problem } from '../base/problem.js';
import type { Message } from '../model/chat.js';
import type { Scenario } from '../scenario/scenario.js';
import { askSideQuestion } from './side-question.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { observationOf } from './request.js';

/** `problem`: what the agent is told of its last turns, apart from its observation. */
export async function askProbes<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { seat, step, problem, signal }: { seat: Seat; step: number; problem: Problem | null; signal: AbortSignal },
): Promise<void> {
  const { scenario, painter } = parts;
  const { probes, seed, render } = scenario;
  if (probes === null || !areProbesDue(probes, step, progress.turn)) return;
  if (seat.controller.answer === undefined) return;
  const observation = observationOf(parts, progress.state, seat);
  const { scene } = observation;
  const painted = painter === null || scene === null ? null : painter.paint(scene);
  const text = seat.composer.turnText(observation, problem?.message ?? null);
  const questions = probesFor({ observation, hasPicture: painted !== null }, probes, {
    seed,
    label: `${step}/${observation.agent}`,
  });
  const isAskedTwice = probes.grey === true && render.blank !== true;
  const grey = isAskedTwice && painter !== null && scene !== null ? painter.paint(scene, true) : null;
  const asked = questions.flatMap((probe) => [
    { probe, picture: painted },
    ...(grey === null ? [] : [{ probe, picture: grey }]),
  ]);
  for (const { probe, picture } of asked) {
    try {
      const completed = await askSideQuestion(parts, progress, {
        seat,
        step,
        purpose: 'probe',
        observation,
        messages: probeMessages(seat, { text, picture, probe }),
        frameHash: picture?.hash ?? null,
        signal,
      });
      if (completed === null) return;
      const { runId, call } = completed.request;
      if (!progress.pending.isProbed(call))
        parts.sink.probe({
          runId,
          call,
          ...probe,
          ...readProbe(probe, completed.end.reply),
          ...(picture !== null && picture === grey ? { picture: 'grey' as const } : {}),
        });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
    }
  }
}

/** Whether agents are asked a question before they act. */
export function areProbesDue(probes: Scenario['probes'], step: number, turn: number): boolean {
  if (probes === null) return false;
  return probes.steps.includes(step) || (probes.every !== null && (turn - 1) % probes.every === 0);
}

/** The system text without the answer format, then text, question and picture of this moment alone. */
function probeMessages(
  { composer }: Seat,
  { text, picture, probe }: { text: string; picture: SeenPicture | null; probe: KnowledgeProbe },
): readonly Message[] {
  return [
    { role: 'system', parts: [{ kind: 'text', text: composer.plainSystem }] },
    {
      role: 'user',
      parts: [
        { kind: 'text', text },
        { kind: 'text', text: probeText(probe) },
        ...(picture === null ? [] : [{ kind: 'image' as const, png: picture.png, frameHash: picture.hash }]),
      ],
    },
  ];
}
