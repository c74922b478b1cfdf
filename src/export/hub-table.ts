/**
 * A format of one Parquet table in shards, made from its columns' types for the hub:
 * `data/train-00000.parquet` … The table contains the pictures, so a data set opens with them from any
 * folder. The file's metadata has the same features, so that `datasets` opens pictures as pictures.
 */
import type { SchemaElement } from 'hyparquet-writer';
import { withToolCalls } from './features.js';
import type { Feature, FeatureItems, Scalar } from './features.js';
import type { ExportFormat } from './format.js';
import { bytesColumn, ParquetFile } from './parquet-file.js';
import type { ParquetColumn, ParquetRow } from './parquet-file.js';
import type { PictureEncoder } from './pictures.js';
import type { ExportRow } from './row.js';
import { textUnits } from './prompt-turn.js';
import { shardWriter } from './shards.js';

interface HubTable {
  features: readonly Feature[];
  /** All columns but `images`, which is filled from the row's pictures; whole numbers are numbers. */
  record: (row: ExportRow) => ParquetRow;
}

/** What all formats of such a table share. */
export function hubTable({
  features,
  record,
}: HubTable): Pick<ExportFormat, 'features' | 'hasMessages' | 'dataFiles' | 'open'> {
  const integerColumns = new Set(
    features.flatMap((one) => ('dtype' in one && one.dtype === 'int64' ? [one.name] : [])),
  );
  return {
    features,
    hasMessages: true,
    dataFiles: (split) => `data/${split}-*.parquet`,
    open: (context) => {
      const written = context.hasToolCalls ? withToolCalls(features) : features;
      const columns = written.map((feature): ParquetColumn => ({
        name: feature.name,
        schema: schemaOf(feature),
        isPacked: 'list' in feature && feature.list === 'image',
      }));
      const metadata = { huggingface: JSON.stringify({ info: { features: hubFeatures(written) } }) };
      return shardWriter(context, {
        name: (split, number) => `data/${split}-${number}.parquet`,
        open: (target, name) => {
          const file = new ParquetFile(target.open(name), columns, metadata);
          return {
            add: async (row) => {
              const { images, bytes } = await imagesOf(row, context.encoder);
              file.add(
                { ...withBigInts(record(row), integerColumns), images },
                bytes + textUnits(row.sample.prompt().messages),
              );
            },
            keep: async () => file.keep(),
          };
        },
      });
    },
  };
}

interface Image {
  bytes: Uint8Array;
  path: string;
}

async function imagesOf(
  { sample }: ExportRow,
  encoder: PictureEncoder,
): Promise<{ images: readonly Image[]; bytes: number }> {
  const images: Image[] = [];
  let bytes = 0;
  for (const [i, picture] of sample.pictures().entries()) {
    const image = {
      bytes: await encoder.bytes(picture),
      path: `${sample.key}-${i + 1}.${encoder.extension}`,
    };
    bytes += image.bytes.length;
    images.push(image);
  }
  return { images, bytes };
}

/** With whole numbers as the BigInts that Parquet needs. */
function withBigInts(record: ParquetRow, integerColumns: ReadonlySet<string>): ParquetRow {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    integerColumns.has(name) && typeof value === 'number' ? BigInt(value) : value,
  ]);
  return Object.fromEntries(entries) as ParquetRow;
}

const PHYSICAL: Readonly<Record<Scalar | 'json', Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int64: { type: 'INT64' },
  float64: { type: 'DOUBLE' },
  bool: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
};

function schemaOf(feature: Feature): readonly SchemaElement[] {
  const { name } = feature;
  if ('dtype' in feature) return itemSchema(name, feature.dtype);
  if ('struct' in feature) return itemSchema(name, feature.struct);
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...itemSchema('element', feature.list),
  ];
}

function itemSchema(name: string, items: FeatureItems): readonly SchemaElement[] {
  if (items === 'image') return groupOf(name, [[bytesColumn('bytes')], itemSchema('path', 'string')]);
  if (typeof items === 'string') return [{ name, repetition_type: 'OPTIONAL', ...PHYSICAL[items] }];
  return 'list' in items ? schemaOf({ name, list: items.list }) : groupOf(name, items.map(schemaOf));
}

function groupOf(name: string, fields: readonly (readonly SchemaElement[])[]): readonly SchemaElement[] {
  return [{ name, repetition_type: 'OPTIONAL', num_children: fields.length }, ...fields.flat()];
}

/** The columns with the names that `datasets` uses. */
function hubFeatures(features: readonly Feature[]): object {
  return Object.fromEntries(
    features.map((feature) => {
      if ('dtype' in feature) return [feature.name, hubItemType(feature.dtype)];
      return [feature.name, hubItemType('struct' in feature ? feature.struct : { list: feature.list })];
    }),
  );
}

function hubItemType(items: FeatureItems): object {
  if (items === 'image') return { _type: 'Image' };
  if (items === 'json') return { _type: 'Json' };
  if (typeof items === 'string') return { dtype: items, _type: 'Value' };
  return 'list' in items ? { feature: hubItemType(items.list), _type: 'List' } : hubFeatures(items);
}
