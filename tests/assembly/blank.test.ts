/** `render.blank`: the picture has the size of the true one and one colour; nothing else of a request changes. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { runScenario } from '../../src/index.js';
import type { ControllerInput } from '../../src/index.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';

async function firstRequest(blank: boolean): Promise<ControllerInput> {
  const asked: ControllerInput[] = [];
  const watching = {
    name: 'watching',
    isRemote: false,
    decide: async (input: ControllerInput) => {
      asked.push(input);
      return { reply: embeddedReply('ACTION: WAIT'), memory: null };
    },
  };
  const set = ['turns.max=1', ...(blank ? ['render.blank=true'] : [])];
  await runScenario('scenarios/brass-key.yaml', { set, controllers: { ranger: watching } });
  const [first] = asked;
  if (first === undefined) throw new Error('nobody was asked');
  return first;
}

async function colours({ messages }: ControllerInput) {
  const picture = messages.flatMap(({ parts }) => parts).find((part) => part.kind === 'image');
  if (picture?.kind !== 'image') throw new Error('no picture was sent');
  const { data, info } = await sharp(picture.png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = new Set<string>();
  for (let i = 0; i < data.length; i += 3) found.add(data.subarray(i, i + 3).join(' '));
  return { size: [info.width, info.height], found: [...found] };
}

const words = ({ messages }: ControllerInput): readonly string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])));

it('a blank picture is grey all over, of the same size, with the same words', async () => {
  const [seeing, blind] = await Promise.all([firstRequest(false), firstRequest(true)]);
  const [shown, blank] = await Promise.all([colours(seeing), colours(blind)]);
  expect(shown.found.length).toBeGreaterThan(8);
  expect(blank.found).toEqual(['128 128 128']);
  expect(blank.size).toEqual(shown.size);
  expect(words(blind)).toEqual(words(seeing));
});
