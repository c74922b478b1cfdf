/**
 * An agent's attempts in a step: each reply with the actions that were parsed from it and their results, and
 * the action that the program used instead if no reply gave a usable one. Text of models is only ever
 * inserted as text, never as markup.
 */
import type { ComponentChildren } from 'preact';
import { at } from '../../base/assert.js';
import { counted } from '../../base/counted.js';
import { lookUp } from '../../base/look-up.js';
import type { Problem } from '../../base/problem.js';
import type { ActView } from '../../replay/step-view.js';
import type { PageCall, PageData, PageStep } from '../page-data.js';
import { wordsOf } from './act-words.js';
import { factsOf } from './call-facts.js';
import type { HighlightText } from './highlighted-text.js';
import { isStandIn, standInText } from './step-highlights.js';

export interface ShownStep {
  data: PageData;
  step: PageStep;
  /** Shows a text with the searched words highlighted. */
  highlight: HighlightText;
}

/** `children`: the step's speech, which is shown below its actions. */
export function Tries({ children, ...shown }: ShownStep & { children: ComponentChildren }) {
  const { step, highlight } = shown;
  const tries = step.calls.filter((call) => isTry(call, step));
  const others = step.calls.filter((call) => !tries.includes(call));
  const otherReplies = others.map((call) => <Reply {...shown} call={call} title="Reply" />);
  const [only] = tries;
  if (only !== undefined && tries.length === 1 && standInText(step) === null)
    return [
      actsOf(step.acts, highlight),
      children,
      <Reply {...shown} call={only} title="Reply" />,
      otherReplies,
    ];
  const actsWithoutReply = step.acts.filter(({ call }) => !tries.some((one) => one.call === call));
  const attempts = tries.map((call, i) => {
    const title = tries.length === 1 ? 'Attempt' : `Attempt ${i + 1} of ${tries.length}`;
    const acts = step.acts.filter((act) => act.call === call.call);
    return <Reply {...shown} call={{ ...call, attempt: 1 }} title={title} acts={acts} />;
  });
  const wait = (act: ActView) => <StandIn {...shown} act={act} tries={tries.length} />;
  const standIns = actsWithoutReply.map((act) => (isStandIn(act) ? wait(act) : actsOf([act], highlight)));
  return [standIns, children, attempts, otherReplies];
}

function isTry({ call, purpose }: PageCall, { acts }: PageStep): boolean {
  return purpose === 'act' || purpose === 'repair' || acts.some((act) => act.call === call);
}

/** The action that the program chose instead of the agent. */
function StandIn({ step, act, tries, highlight }: ShownStep & { act: ActView; tries: number }) {
  const reason = act.insteadOf === null ? '' : reasonText(act.insteadOf);
  const isReasonShown = step.acts.some(
    ({ problem, message }) => problem !== null && reason.endsWith(message),
  );
  const noAttempt =
    tries === 1
      ? 'The attempt gave no usable action'
      : `None of ${counted(tries, 'attempt')} gave a usable action`;
  const { title, explanation } = lookUp(STAND_INS, act.insteadOf?.code ?? '') ?? {
    title: 'No usable answer',
    explanation: noAttempt,
  };
  return (
    <section class="stand-in">
      <h3>{title}</h3>
      <p>
        {explanation}, so the program used <code class="act">{highlight(wordsOf(act))}</code> instead. The
        agent did not ask for it.
      </p>
      {outcomeOf(act, highlight)}
      {!isReasonShown && <p class="quiet">{reason}</p>}
    </section>
  );
}

const STAND_INS: Readonly<Record<string, { title: string; explanation: string }>> = {
  late: { title: 'Too late', explanation: 'No answer came in time' },
  uncontrolled: { title: 'Nobody controls it', explanation: 'Nobody held a lease on this agent' },
};

function actsOf(acts: readonly ActView[], light: HighlightText) {
  return (
    <ol class="acts">
      {acts.map((act) => {
        const { accepted, insteadOf } = act;
        const words = wordsOf(act);
        return (
          <li>
            <div>
              <code class="act">{words === '' ? '(not understood)' : light(words)}</code>
              {accepted !== null && <span class="quiet"> read as {accepted.rung}</span>}
            </div>
            {outcomeOf(act, light)}
            {insteadOf !== null && <div class="quiet">instead of {reasonText(insteadOf)}</div>}
          </li>
        );
      })}
    </ol>
  );
}

function reasonText({ code, message }: Problem): string {
  return `${code}: ${message}`;
}

function outcomeOf({ message, problem }: ActView, light: HighlightText) {
  return (
    <div class={problem === null ? 'came ok' : 'came refused'}>
      {problem === null ? '✓ ' : ['✗ ', <b>{light(problem.code)}</b>, ' ']}
      <span>{light(message)}</span>
    </div>
  );
}

interface ReplyProps extends ShownStep {
  call: PageCall;
  title: string;
  /** The actions that were parsed from it; absent if it is not one of several attempts. */
  acts?: readonly ActView[];
}

function Reply({ acts, title, ...shown }: ReplyProps) {
  const { call, highlight } = shown;
  return (
    <section class={acts === undefined ? undefined : 'try'}>
      <h3>
        {title} <span class="quiet">{factsOf(call)}</span>
      </h3>
      <ReplyText {...shown} />
      {acts !== undefined && acts.length > 0 && actsOf(acts, highlight)}
    </section>
  );
}

function ReplyText({ data, step, call, highlight }: ShownStep & { call: PageCall }) {
  const { reply } = call;
  if (reply.kind === 'none') return <p class="quiet">No reply was stored.</p>;
  if (reply.kind === 'failed') return <p class="warning">{highlight(reply.error)}</p>;
  const { reasoning, tools } = reply;
  const content = at(data.texts, reply.content);
  const span = step.acts.find((act) => act.call === call.call && act.accepted?.span)?.accepted?.span;
  const accepted = span ? ([span.start, span.end] as const) : null;
  return (
    <>
      {reasoning !== null && (
        <details>
          <summary>Reasoning</summary>
          <pre>{highlight(at(data.texts, reasoning))}</pre>
        </details>
      )}
      {(content !== '' || tools.length === 0) && <pre class="reply">{highlight(content, accepted)}</pre>}
      {tools.map((tool) => (
        <pre class="tool">{highlight(`${tool.name} ${tool.arguments}`)}</pre>
      ))}
    </>
  );
}
