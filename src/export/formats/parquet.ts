/**
 * `parquet`: one table for the hub and its trainers: `images` as records of bytes and path, `messages` as roles with parts, and every column of a sample. The
 * file says in its metadata which columns are pictures, so that `datasets` opens them as such.
 */
import type { SchemaElement } from 'hyparquet-writer';
import { ALL_COLUMNS, columnFields } from '../columns.js';
import type { Format, Row } from '../format.js';
import {
  booleanColumn,
  bytesColumn,
  integerColumn,
  listColumn,
  ParquetFile,
  textColumn,
} from '../parquet-file.js';
import type { ParquetColumn, ParquetRow } from '../parquet-file.js';
import { shardWriter } from '../shards.js';
import { trlMessages } from './openai.js';

const BY_TYPE: Readonly<Record<string, (name: string) => SchemaElement>> = {
  text: textColumn,
  integer: integerColumn,
  boolean: booleanColumn,
};
const DTYPES: Readonly<Record<string, string>> = { text: 'string', integer: 'int64', boolean: 'bool' };

const CONTENT = listColumn('content', [[textColumn('type')], [textColumn('text')]]);

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'id', schema: [textColumn('id')] },
  {
    name: 'images',
    schema: listColumn('images', [[bytesColumn('bytes')], [textColumn('path')]]),
    isPacked: true,
  },
  { name: 'messages', schema: listColumn('messages', [[textColumn('role')], CONTENT]) },
  ...ALL_COLUMNS.map(({ name, type }) => ({ name, schema: [(BY_TYPE[type] ?? textColumn)(name)] })),
];

/** The columns in the words of `datasets`. */
const FEATURES = {
  id: value('string'),
  images: { feature: { _type: 'Image' }, _type: 'List' },
  messages: {
    feature: {
      role: value('string'),
      content: { feature: { type: value('string'), text: value('string') }, _type: 'List' },
    },
    _type: 'List',
  },
  ...Object.fromEntries(ALL_COLUMNS.map(({ name, type }) => [name, value(DTYPES[type] ?? 'string')])),
};

function value(dtype: string): object {
  return { dtype, _type: 'Value' };
}

export const parquet: Format = {
  name: 'parquet',
  about: 'one table with pictures in it, in shards, as the hub and TRL take it',
  needsPicture: false,
  dataFiles: (split) => `data/${split}-*.parquet`,
  open: (context) =>
    shardWriter(context, {
      name: (split, number) => `data/${split}-${number}.parquet`,
      open: (target, name) => {
        const metadata = { huggingface: JSON.stringify({ info: { features: FEATURES } }) };
        const file = new ParquetFile(target.open(name), COLUMNS, metadata);
        return {
          add: async (row) => {
            const { record, bytes } = await recordOf(row, context.options.ending);
            file.add(record, bytes);
          },
          keep: async () => file.keep(),
        };
      },
    }),
};

async function recordOf(
  row: Row,
  ending: string,
): Promise<{ readonly record: ParquetRow; readonly bytes: number }> {
  const { sample, pictures } = row;
  const images = [];
  let bytes = 0;
  for (const [i, picture] of pictures.entries()) {
    const image = { bytes: await picture.bytes(), path: `${sample.key}-${i + 1}.${ending}` };
    bytes += image.bytes.length;
    images.push(image);
  }
  for (const { text } of sample.prompt().messages) bytes += text.length;
  const messages = trlMessages(row).map(({ role, content }) => ({
    role,
    content: content.map(({ type, text = null }) => ({ type, text })),
  }));
  const columns = columnFields(sample, (cell) => (typeof cell === 'number' ? BigInt(cell) : cell));
  const record = { id: sample.key, images, messages, ...Object.fromEntries(columns) };
  return { record, bytes };
}
