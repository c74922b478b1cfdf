/** Goals: sorted by priority, each kind under its own heading. */
import { describe, expect, it } from 'vitest';
import { goalsText } from '../../src/agent/goals.js';
import { at } from '../../src/base/assert.js';
import { BASE, load } from '../scenario/support.js';

const goals = (yaml: string) => at(load(`${BASE}    goals: ${yaml}\n`).scenario.agents, 0).goals;

describe('goals', () => {
  it('that are sentences are tasks in the order in which they stand', () => {
    expect(goalsText(goals('[Leave., Stay alive.]'))).toBe(
      'Your goals, most important first:\n1. Leave.\n2. Stay alive.',
    );
  });

  it('of each kind stand under a heading, by priority', () => {
    const text = goalsText(
      goals(
        '[{name: Shout, kind: example}, {name: Hurry, priority: 9}, {name: Harm nobody, kind: rule, priority: 5}, {name: Escape, description: Through the gate., priority: 2}, {name: Whisper, kind: rule, priority: 1}]',
      ),
    );
    expect(text).toBe(`Your goals, most important first:
1. Escape: Through the gate.
2. Hurry

Rules that you keep to, most important first:
1. Whisper
2. Harm nobody

Examples of how it may be done:
1. Shout`);
  });

  it('are nothing where there are none', () => {
    expect(goalsText([])).toBe('');
  });

  it('of the same priority keep their order', () => {
    const same = ['one', 'two', 'three'].map((name) => `{name: ${name}, priority: 3}`).join(', ');
    expect(goalsText(goals(`[${same}]`))).toMatch(/one\n2\. two\n3\. three/);
  });
});
