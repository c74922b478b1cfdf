/** Templates, memory, prompts and the embedded controllers, each by itself. */
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { fillTemplate, placeholdersIn } from '../../src/base/template.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering, lastText } from '../support/controllers.js';
import { play } from '../support/play.js';

describe('a template', () => {
  it('is filled once: what is filled in is not looked at again', () => {
    expect(fillTemplate('{{a}} and {{b}}', { a: '{{b}}', b: '$& two' })).toBe('{{b}} and $& two');
  });

  it('loses lines that hold nothing but empty places, and the blank lines that this leaves', () => {
    expect(fillTemplate('one\n\n{{none}}\n\ntwo {{none}}\n{{none}} {{none}}', { none: '' })).toBe(
      'one\n\ntwo',
    );
  });

  it('names its places', () => {
    expect(placeholdersIn('{{a}} {{ b }}\n{{a}} {{c-D}} { {x} }')).toEqual([
      { name: 'a', offset: 0 },
      { name: ' b ', offset: 6 },
      { name: 'a', offset: 14 },
      { name: 'c-D', offset: 20 },
    ]);
  });
});

describe('a request', () => {
  const both = () => ({ ann: answering([]), bob: answering([]) });

  it('is system text, past turns as text, this turn, and the picture last and alone', async () => {
    const controllers = both();
    await play(corridor('max: 3'), { controllers });
    const [first, , third] = controllers.ann.inputs;
    const roles = third?.messages.map(({ role, parts }) =>
      [role, ...parts.map(({ kind }) => kind)].join(' '),
    );
    expect(roles).toEqual([
      'system text',
      'user text',
      'assistant text',
      'user text',
      'assistant text',
      'user text image',
    ]);
    expect(third?.messages[0]).toEqual(first?.messages[0]);
    expect(third?.messages[1]?.parts[0]).toEqual(first?.messages[1]?.parts[0]);
  });

  it('has no picture where only text is wanted, and no words for it where only the picture is', async () => {
    const text = both();
    await play(corridor('max: 1'), { controllers: text, set: ['render.channel=text'] });
    expect(
      at(text.ann.inputs, 0)
        .messages.at(-1)
        ?.parts.map(({ kind }) => kind),
    ).toEqual(['text']);
    expect(lastText(text.ann.inputs[0])).toContain('You see:');
    const image = both();
    await play(corridor('max: 1'), { controllers: image, set: ['render.channel=image'] });
    expect(lastText(image.ann.inputs[0])).not.toContain('You see:');
    expect(at(image.ann.inputs, 0).messages.at(-1)?.parts.at(-1)?.kind).toBe('image');
  });

  it('with marks tells the numbers that the picture shows', async () => {
    const controllers = both();
    await play(corridor('max: 1'), { controllers, set: ['render.marks=true'] });
    expect(lastText(controllers.ann.inputs[0])).toMatch(/Numbers in the picture: 1: /);
    expect(controllers.ann.inputs[0]?.observation.scene?.marks.length).toBeGreaterThan(0);
  });
});

describe('an embedded controller', () => {
  const said = async (set: readonly string[], more = ''): Promise<readonly string[]> => {
    const { sink } = await play(`${corridor('max: 12')}${more}`, { set });
    return sink.entries.flatMap((entry) =>
      entry.kind === 'reply' && entry.end.kind === 'replied' ? [entry.end.reply.content] : [],
    );
  };

  it('random says what is offered, the same from the same seed, and DONE only where a condition asks for it', async () => {
    const set = ['agents.ann.controller=random', 'agents.bob.controller=random'];
    const first = await said([...set, 'seed=1']);
    expect(await said([...set, 'seed=1'])).toEqual(first);
    expect(await said([...set, 'seed=2'])).not.toEqual(first);
    expect(first.join('\n')).not.toContain('DONE');
    const asked = await said([...set, 'seed=1'], 'success: { agent: every, done: true }\n');
    expect(asked.join('\n')).toContain('DONE');
    expect(new Set(first.map((reply) => reply.split(' ')[1])).size).toBeGreaterThan(3);
  });

  it.each([
    ['wait', ['ACTION: LOOK', 'ACTION: WAIT']],
    ['repeat', ['ACTION: LOOK', 'ACTION: LOOK']],
  ])('of fixed replies then goes on: %s', async (after, expected) => {
    const text = corridor('max: 1').replace(
      'id: ann,',
      `id: ann, replies: ['ACTION: LOOK'], after_replies: ${after},`,
    );
    const { sink } = await play(text);
    const replies = sink.entries.flatMap((entry) =>
      entry.kind === 'reply' && entry.end.kind === 'replied' ? [entry.end.reply.content] : [],
    );
    expect(replies.slice(0, 2)).toEqual(expected);
  });

  it('of fixed replies says once that they are used up, beside the answer', async () => {
    const text = corridor('max: 3').replace(
      'id: ann,',
      "id: ann, protocol: react, replies: ['Action: LOOK'],",
    );
    const { sink } = await play(text);
    const replies = sink.entries.flatMap((entry) =>
      entry.kind === 'reply' && entry.end.kind === 'replied' && entry.end.reply.content.startsWith('Action: ')
        ? [[entry.end.reply.content, entry.end.reply.reasoning]]
        : [],
    );
    const wait = 'Action: WAIT\nAction Input: {}';
    expect(replies).toEqual([
      ['Action: LOOK', null],
      [wait, 'My list of replies is used up.'],
      [wait, null],
      [wait, null],
    ]);
  });

  it('of fixed replies may end the run after its last', async () => {
    const text = corridor('max: 3').replace(
      'id: ann,',
      "id: ann, replies: ['ACTION: WAIT'], after_replies: stop,",
    );
    await expect(play(text)).rejects.toThrow('the list of 1 reply for ann ended in turn 2');
  });
});
