/**
 * Questions about what a scenario's author names (`probes.ask`). Their words are the same whether or not the agent
 * sees the thing, so that they tell nothing of a picture; what is not in sight has the answer `unknown`.
 */
import type { Json } from '../../base/json.js';
import { recordsIn } from '../../base/json.js';
import type { AskSpec } from '../../scenario/scenario.js';
import { countQuestion, uncountableNames } from './count.js';
import { doorProbe, seenDoors } from './door.js';
import { UNKNOWN_WORD, plainName, yesOrNo } from './probe.js';
import type { KnowledgeProbe, ProbeContext } from './probe.js';
import { SIDE_AXES, sideAt, sideQuestion } from './side.js';
import { positionOf, visibleThings } from './tiles.js';

/** Those that the moment allows: none about a picture that is not sent. */
export function askedProbes(context: ProbeContext, spec: AskSpec): readonly KnowledgeProbe[] {
  const { about, kind, as: name = about } = spec;
  const { facts } = context.observation;
  const position = positionOf(context);
  switch (kind) {
    case 'side': {
      if (position === null) return [];
      const seen = visibleThings(position).find(({ id }) => id === about);
      return SIDE_AXES.map(([sides, axis]) => {
        const { question, options } = sideQuestion(`"${plainName(name)}"`, sides);
        const expected = seen === undefined ? UNKNOWN_WORD : sideAt(sides, seen[axis] - position.self[axis]);
        return {
          kind,
          question: question.replace(/\?$/, ', as far as you can see now?'),
          options: [...options, UNKNOWN_WORD],
          expected,
        };
      });
    }
    case 'count': {
      if (position === null || uncountableNames(position, facts).has(name)) return [];
      const seen = visibleThings(position).filter((thing) => thing.name === name);
      return [{ kind, question: countQuestion(name), options: null, expected: String(seen.length) }];
    }
    case 'door': {
      const state = seenDoors(context.observation).find(({ id }) => id === about)?.state;
      const isOpen = state === 'open' ? 'yes' : 'no';
      return [doorProbe(kind, name, state === undefined ? UNKNOWN_WORD : isOpen)];
    }
    case 'holds': {
      const { holds } = (facts['self'] ?? {}) as { holds?: Json };
      if (!Array.isArray(holds)) return [];
      const isHeld = recordsIn(holds).some(({ id }) => id === about);
      return [yesOrNo(kind, `Do you hold "${plainName(name)}" now?`, isHeld)];
    }
  }
}
