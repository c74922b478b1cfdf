/**
 * Who controls each entity of a served run at a step: the holder of its lease, how often it gave no answer in
 * time, whether its body rests, and how punctual ticks are.
 */
import type { PageLease, PageRun, PageStep } from '../page-data.js';
import type { PageStore } from './page-store.js';
import type { PageSnapshot } from './snapshot.js';

export function ControlPanel({ store, snapshot }: { store: PageStore; snapshot: PageSnapshot }) {
  const { run, state } = snapshot;
  return (
    <>
      <p class="quiet">{tickTimesText(run, state.step)}</p>
      <table class="control">
        <thead>
          <tr>
            <th scope="col">Entity</th>
            <th scope="col">Controlled by</th>
            <th scope="col" title="Turns in which no answer came in time">
              Late
            </th>
            <th scope="col" title="Turns in which nobody controlled it">
              Vacant
            </th>
          </tr>
        </thead>
        <tbody>
          {run.agents.map(({ id, name }) => {
            const { holder, late, vacant } = controlOf(run, id, state.step);
            const resting = restState(store, snapshot, id);
            return (
              <tr key={id}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={state.agent === id}
                    onClick={() => store.set({ agent: state.agent === id ? null : id })}
                  >
                    {name}
                  </button>
                </th>
                <td>
                  {holder === null ? (
                    <span class="quiet">nobody</span>
                  ) : (
                    <>
                      {holder.controller} <span class="quiet">lease {holder.epoch}</span>
                    </>
                  )}
                  {resting !== '' && <span class="badge resting"> {resting}</span>}
                </td>
                <td class={late > 0 ? 'warning' : ''}>{countText(late)}</td>
                <td>{countText(vacant)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** How punctual the ticks were up to a step; '' if the log has no times. */
export function tickTimesText(run: PageRun, step: number): string {
  const ticks = run.steps.slice(0, step).flatMap(({ timing }) => timing ?? []);
  const last = ticks.at(-1);
  if (last === undefined) return '';
  const late = ticks.filter(({ overrunMs }) => overrunMs > 0).length;
  const beginning = last.overrunMs > 0 ? `began ${last.overrunMs} ms late` : 'began on time';
  return `The last tick ${beginning} and was settled in ${last.settleMs} ms; ${late} of ${ticks.length} began late.`;
}

function countText(count: number): string {
  return count === 0 ? '–' : `${count}×`;
}

export interface EntityControl {
  /** Null if nobody controls it. */
  holder: PageLease | null;
  /** Steps so far in which no answer came in time. */
  late: number;
  /** Steps so far in which nobody controlled it. */
  vacant: number;
}

/** The state as of a step; at the newest step, the current state, even if nobody has acted since. */
export function controlOf(run: PageRun, agent: string, step: number): EntityControl {
  const agentSteps = run.steps.slice(0, step).filter((one) => one.agent === agent);
  const turn = step >= run.steps.length ? Number.POSITIVE_INFINITY : (run.steps[step - 1]?.turn ?? 0);
  const last = run.leases.findLast(({ entity, tick }) => entity === agent && tick <= turn);
  return {
    holder: last?.event === 'granted' ? last : null,
    late: agentSteps.filter((one) => hasStandIn(one, 'late')).length,
    vacant: agentSteps.filter((one) => hasStandIn(one, 'uncontrolled')).length,
  };
}

function hasStandIn({ acts }: PageStep, code: string): boolean {
  return acts.some(({ insteadOf }) => insteadOf?.code === code);
}

/** `idle` or `asleep`, as the picture shows it; '' for neither. */
function restState(store: PageStore, { step, run }: PageSnapshot, agent: string): string {
  const { map } = step ?? run.start;
  if (map === null) return '';
  const { things } = store.tiles.scene(map);
  return (
    (['asleep', 'idle'] as const).find((one) =>
      things.some(({ id, sprite }) => id === `${agent}-${one}` && sprite === `fx/${one}`),
    ) ?? ''
  );
}
