/**
 * All text next to the pictures: the step's heading, the person's verdict on it, and tabs with its details,
 * its prompt and all steps.
 */
import { Fragment, type ComponentChildren, type VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AnnotationBar } from './annotation-panel.js';
import { goalsAndInventory } from './goals-and-inventory.js';
import { ControlPanel } from './control.js';
import { highlighter, revealFound } from './highlighted-text.js';
import { countHits } from './hits.js';
import { classes } from './icons.js';
import type { PageStore } from './page-store.js';
import { PromptWords } from './prompt-words.js';
import type { PageSnapshot } from './snapshot.js';
import { nameOf, stepKey } from './state.js';
import { StepList } from './step-list.js';
import { StepWords } from './step-words.js';

const TABS = [
  ['step', 'Step'],
  ['prompt', 'Prompt'],
  ['list', 'All steps'],
  ['control', 'Control'],
] as const;

type TabId = (typeof TABS)[number][0];

export interface WordsPanelProps {
  store: PageStore;
  snapshot: PageSnapshot;
}

export function WordsPanel({ store, snapshot }: WordsPanelProps) {
  const [tab, setTab] = useState<TabId>('step');
  const { run, step, state } = snapshot;
  const key = stepKey(run, step?.step ?? 0);
  const textKey = `${key} ${state.query.toLowerCase()}`;
  return (
    <aside aria-label="Step details">
      <h2>{headingOf(snapshot)}</h2>
      <AnnotationBar store={store} snapshot={snapshot} />
      {/* A new element for each step, so that it is not scrolled. */}
      <div key={key} class="bearings" role="group" aria-label="Goals and inventory">
        {goalsAndInventory(run, step)}
      </div>
      <div class="tabbed">
        <Tabs
          tabs={TABS.filter(
            // Exported tables have no prompts, and only a served run has leases.
            ([id]) => (id !== 'prompt' || run.hasCalls) && (id !== 'control' || run.leases.length > 0),
          )}
          chosen={tab}
          hits={{ ...countHits(snapshot), list: 0, control: 0 }}
          onChoose={setTab}
        />
        <Panel id="step" isShown={tab === 'step'} textKey={textKey}>
          <StepWords snapshot={snapshot} highlight={highlighter(state.query)} />
        </Panel>
        {run.hasCalls && (
          <Panel id="prompt" isShown={tab === 'prompt'} textKey={textKey}>
            <PromptWords snapshot={snapshot} tiles={store.tiles} highlight={highlighter(state.query)} />
          </Panel>
        )}
        <Panel id="list" isShown={tab === 'list'}>
          <StepList {...snapshot} onStep={(chosen) => store.goTo(chosen)} />
        </Panel>
        {run.leases.length > 0 && (
          <Panel id="control" isShown={tab === 'control'}>
            <ControlPanel store={store} snapshot={snapshot} />
          </Panel>
        )}
      </div>
    </aside>
  );
}

function headingOf({ data, run, step, state }: PageSnapshot): string {
  if (step === null) return 'Before the first step';
  const isOneOfTwo = new Set(state.panels.map((panel) => panel.run)).size > 1;
  const runNumber = isOneOfTwo ? `Run ${data.runs.indexOf(run) + 1} · ` : '';
  return `${runNumber}Step ${step.step} · turn ${step.turn} · ${nameOf(run, step.agent)}`;
}

interface TabsProps {
  tabs: readonly (typeof TABS)[number][];
  chosen: TabId;
  /** The number of search hits in each tab. */
  hits: Readonly<Record<TabId, number>>;
  onChoose: (tab: TabId) => void;
}

/** Tabs with the standard keyboard behaviour: arrows move between them. */
function Tabs({ tabs, chosen, hits, onChoose }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    if (direction === 0) return;
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const current = buttons.findIndex((one) => one === document.activeElement);
    const next = (current + direction + tabs.length) % tabs.length;
    buttons[next]?.focus();
    onChoose(tabs[next]?.[0] ?? chosen);
  };
  return (
    <div role="tablist" aria-label="Step, prompt or list" class="tabs" onKeyDown={onKeyDown}>
      {tabs.map(([id, text]) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-controls={`panel-${id}`}
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {text}
          <span class="count">{hits[id] === 0 ? '' : ` ${hits[id]} found`}</span>
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  id: TabId;
  isShown: boolean;
  /** What its content depends on. */
  textKey?: string;
  children: ComponentChildren;
}

/**
 * The content of a tab. While another tab is shown, it is not updated. It is rebuilt only if `textKey`
 * changes, so that selections, unfolded parts and the focus survive while a run grows.
 */
function Panel({ id, isShown, textKey = '', children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const content = useRef<VNode | null>(null);
  if (isShown) content.current = <Fragment key={textKey}>{children}</Fragment>;
  useLayoutEffect(() => {
    if (panel.current !== null) panel.current.scrollTop = 0;
    if (panel.current !== null) revealFound(panel.current);
  }, [content.current?.key]);
  return (
    <div
      class={classes('words', id === 'list' && 'list')}
      id={`panel-${id}`}
      role="tabpanel"
      aria-labelledby={`tab-${id}`}
      tabIndex={0}
      hidden={!isShown}
      ref={panel}
    >
      {content.current}
    </div>
  );
}
