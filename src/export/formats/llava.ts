/**
 * `llava`: conversations between `human` and `gpt` with `<image>` for a picture, as LLaVA and similar
 * trainers read them. They have no system text, so the rules begin the first `human` message.
 * `llama-factory`: the same with roles, a system text and tools, and the `dataset_info.json` that names its
 * columns. An `<image>` within a text is changed, so that the number of marks always equals the number of
 * pictures.
 */
import { withoutPictureMarks } from './picture-marks.js';
import { originOf } from '../columns.js';
import { listColumn, ORIGIN_FEATURES, textColumn } from '../features.js';
import type { ExportFormat } from '../format.js';
import type { ExportRow } from '../row.js';
import { withOpening, promptTurn } from '../prompt-turn.js';
import type { PromptTurn } from '../prompt-turn.js';
import type { ExportSample } from '../sample.js';
import { writeWhole } from '../target.js';
import { LIST, textWriter } from './lines.js';
import { nativeTurns } from '../native-turns.js';
import type { NativeTurn } from '../native-turns.js';
import { answerText, toolsOf } from './openai.js';

const MARK = '<image>';

export const llava: ExportFormat = {
  name: 'llava',
  about: 'LLaVA and ShareGPT conversations, one JSON list, pictures as files',
  needsPicture: false,
  dataFiles: (split) => `${split}.json`,
  open: (context) =>
    textWriter(context, { name: (split) => `${split}.json`, list: LIST, value: conversation }),
};

function conversation({ sample }: ExportRow, images: readonly string[]): object {
  const [newest = ''] = images;
  return {
    id: sample.key,
    ...(images.length === 0 ? {} : { image: images.length === 1 ? newest : images }),
    conversations: [
      ...withoutSystem(sample.prompt().messages).map((turn) => ({
        from: turn.role === 'assistant' ? 'gpt' : 'human',
        value: textWithMarks(turn),
      })),
      { from: 'gpt', value: withoutPictureMarks(answerText(sample.target)) },
    ],
    ...originOf(sample),
  };
}

function withoutSystem([first, second, ...rest]: readonly PromptTurn[]): readonly PromptTurn[] {
  if (first?.role !== 'system') return [first, second, ...rest].filter((turn) => turn !== undefined);
  return [
    second === undefined ? promptTurn({ ...first, role: 'user' }) : withOpening(first.text, second),
    ...rest,
  ];
}

/** The text with a mark for each picture where it was sent. */
function textWithMarks({ parts }: Pick<PromptTurn, 'parts'>): string {
  return parts
    .map((part) => (typeof part === 'string' ? withoutPictureMarks(part) : MARK))
    .filter((one) => one !== '')
    .join('\n');
}

export const llamaFactory: ExportFormat = {
  name: 'llama-factory',
  hasCalls: true,
  about: 'LLaMA-Factory: one JSON list and dataset_info.json, pictures as files',
  needsPicture: false,
  features: [
    listColumn('messages', [textColumn('role'), textColumn('content')]),
    textColumn('system'),
    textColumn('tools'),
    listColumn('images', 'string'),
    ...ORIGIN_FEATURES,
  ],
  dataFiles: (split) => `${split}.json`,
  open: (context) => textWriter(context, { name: (split) => `${split}.json`, list: LIST, value: factoryRow }),
  writeCompanionFiles: (target, splits) => {
    const info = Object.fromEntries(splits.map((split) => [`orchestrate_${split}`, dataSet(split)]));
    writeWhole(target, 'dataset_info.json', `${JSON.stringify(info, null, 2)}\n`);
  },
};

function factoryRow({ sample }: ExportRow, images: readonly string[]): object {
  const { tools } = toolsOf(sample.settings);
  const { messages } = sample.prompt();
  const rules = messages[0]?.role === 'system' ? messages[0].text : '';
  return {
    messages: [
      ...nativeTurns(sample)
        .filter(({ role }) => role !== 'system')
        .map((turn) =>
          'toolCalls' in turn ? nativeMessage(turn) : { role: turn.role, content: textWithMarks(turn) },
        ),
      answerMessage(sample),
    ],
    system: withoutPictureMarks(rules),
    tools: tools === undefined ? '' : withoutPictureMarks(JSON.stringify(tools)),
    images,
    ...originOf(sample),
  };
}

/** Calls and their results have roles of their own; a result may hold pictures. */
function nativeMessage(turn: NativeTurn): object {
  if (turn.role === 'tool') return { role: 'observation', content: textWithMarks(turn) };
  return { role: 'function', content: withoutPictureMarks(answerText(turn)) };
}

/** A native tool call has its own role in this format. */
function answerMessage({ target }: ExportSample): object {
  const content = withoutPictureMarks(answerText(target));
  return { role: target.toolCalls.length > 0 && target.text === '' ? 'function' : 'assistant', content };
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
