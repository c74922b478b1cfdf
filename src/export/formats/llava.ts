/**
 * `llava`: conversations between `human` and `gpt` with `<image>` where a picture stands, as LLaVA and its kin read them. They know no system text, so the
 * rules stand at the head of the first thing that the human says. `llama-factory`: the same with roles, a system text and tools, and the
 * `dataset_info.json` that names its columns. A text that holds such a mark itself is broken, so that marks and pictures are always as many.
 */
import type { Format, Row } from '../format.js';
import type { Sample, Turn } from '../sample.js';
import { writeWhole } from '../target.js';
import { LIST, textWriter } from './lines.js';
import { answerText, toolsOf } from './openai.js';

const MARK = '<image>';

export const llava: Format = {
  name: 'llava',
  about: 'LLaVA and ShareGPT conversations, one JSON list, pictures as files',
  needsPicture: false,
  dataFiles: null,
  open: (context) =>
    textWriter(context, { name: (split) => `${split}.json`, list: LIST, value: conversation }),
};

function conversation({ sample }: Row, images: readonly string[]): object {
  const [newest = ''] = images;
  return {
    id: sample.key,
    ...(images.length === 0 ? {} : { image: images.length === 1 ? newest : images }),
    conversations: [
      ...withoutSystem(sample.messages).map((turn) => ({
        from: turn.role === 'assistant' ? 'gpt' : 'human',
        value: marked(turn),
      })),
      { from: 'gpt', value: harmless(answerText(sample.answer)) },
    ],
  };
}

function withoutSystem([first, second, ...rest]: readonly Turn[]): readonly Turn[] {
  if (first?.role !== 'system') return [first, second, ...rest].filter((turn) => turn !== undefined);
  const said: Turn = second ?? { role: 'user', text: '', pictures: [] };
  return [{ ...said, text: [first.text, said.text].join('\n\n') }, ...rest];
}

/** Pictures behind the words, as they were sent. */
function marked({ text, pictures }: Turn): string {
  return [harmless(text), ...pictures.map(() => MARK)].filter((one) => one !== '').join('\n');
}

/** Without marks of its own. */
function harmless(text: string): string {
  return text.replace(/<(?=(?:image|video|audio)>)/g, '< ');
}

export const llamaFactory: Format = {
  name: 'llama-factory',
  about: 'LLaMA-Factory: one JSON list and dataset_info.json, pictures as files',
  needsPicture: false,
  dataFiles: null,
  open: (context) => textWriter(context, { name: (split) => `${split}.json`, list: LIST, value: factoryRow }),
  beside: (target, splits) => {
    const info = Object.fromEntries(splits.map((split) => [`orchestrate_${split}`, dataSet(split)]));
    writeWhole(target, 'dataset_info.json', `${JSON.stringify(info, null, 2)}\n`);
  },
};

function factoryRow({ sample }: Row, images: readonly string[]): object {
  const { tools } = toolsOf(sample.settings);
  const rules = sample.messages[0]?.role === 'system' ? sample.messages[0].text : '';
  return {
    messages: [
      ...sample.messages
        .filter(({ role }) => role !== 'system')
        .map((turn) => ({ role: turn.role, content: marked(turn) })),
      answerMessage(sample),
    ],
    system: harmless(rules),
    tools: tools === undefined ? '' : harmless(JSON.stringify(tools)),
    images,
  };
}

/** A native tool call has a role of its own there. */
function answerMessage({ answer }: Sample): object {
  const content = harmless(answerText(answer));
  return { role: answer.toolCalls.length > 0 && answer.text === '' ? 'function' : 'assistant', content };
}

function dataSet(split: string): object {
  return {
    file_name: `${split}.json`,
    formatting: 'sharegpt',
    columns: { messages: 'messages', system: 'system', tools: 'tools', images: 'images' },
    tags: {
      role_tag: 'role',
      content_tag: 'content',
      user_tag: 'user',
      assistant_tag: 'assistant',
      function_tag: 'function',
      observation_tag: 'observation',
      system_tag: 'system',
    },
  };
}
