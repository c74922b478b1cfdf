/** Actions under a scenario's own names (`actions: { GO: walk }`): what a holder is sent over the wire, all parts of it, never has the other name. */
import { toJsonString } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { Direction, ObservationSchema, Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { Observation } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { servedWorld } from '../support/served-world.js';

const ROOM = `
title: Two in a room
map: |
  ########
  #ak...b#
  ########
legend: { a: { agent: ann }, k: { thing: key }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }]
things: { key: { kind: key, name: key } }
actions: { GO: walk, TAKE: grab, DROP: shed, SPEAK: utter, LOOK: observe, USE: apply }
turns: { max: 6 }
`;
const OWN = /\b(?:GO|TAKE|DROP|SPEAK|LOOK|USE)\b/g;
const ALL = [Part.FACTS, Part.OFFERS, Part.EVENTS, Part.TEXT, Part.PROMPT, Part.FACTS_JSON, Part.FORMS];

it('an observation has only the names that are spoken, also of what others did and of what was refused', async () => {
  const world = await servedWorld(ROOM, { waitFor: 2 });
  const { leases, play } = world;
  const answers = [
    { intent: { case: 'pickup', value: { item: 'key' } } },
    { intent: { case: 'move', value: { direction: Direction.E } } },
    { intent: { case: 'say', value: { text: 'Hello.' } } },
    // Refused: there is nothing there; then an action of the offers, by its name there.
    { intent: { case: 'pickup', value: { item: 'key' } } },
    { intent: { case: 'call', value: { action: 'observe', args: {} } } },
  ] as const;
  const seen: Observation[] = [];
  const acks: string[] = [];
  const hold = async (entity: string, acts: boolean): Promise<void> => {
    const { lease } = await leases.acquireLease({ entity, controller: 'tester' });
    let next = 0;
    for await (const observation of play.streamObservations({ lease, parts: ALL })) {
      if (observation.isFinal) return;
      if (observation.tick === 0n) continue;
      seen.push(observation);
      const { tick, attempt } = observation;
      const wait = { intent: { case: 'wait', value: {} } } as const;
      const answer = acts ? (answers[next++] ?? wait) : wait;
      const ack = await play.submitIntent({ lease, tick, attempt, ...answer });
      acks.push(`${ack.action} ${ack.message} ${ack.problem}`);
    }
  };
  await Promise.all([hold('ann', true), hold('bob', false)]);
  const words = seen.map((one) => toJsonString(ObservationSchema, one));
  expect(words.flatMap((one) => one.match(OWN) ?? [])).toEqual([]);
  expect(acks.join('\n').match(OWN)).toBeNull();
  expect(acks.some((one) => one.startsWith('GRAB'))).toBe(true);
  const acts = seen.flatMap(({ events }) =>
    events.flatMap(({ event }) => (event.case === 'acted' ? event.value.act : [])),
  );
  // What others did is said by what happened, which has no other name.
  expect(acts).toContain('took');
});
