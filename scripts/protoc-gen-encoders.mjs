#!/usr/bin/env node
// A plugin of protoc (`npm run proto`): for each message that an option `message=` names, a function that writes plain data as its bytes. The functions read
// each field by its name, which the engine compiles well; the library's encoder consults the descriptor for each field of each message, which takes
// many times as long (docs/explanation/performance.md). The bytes are the same. Refuses kinds of fields that no such message has yet.
import { ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { createEcmaScriptPlugin, runNodeJs } from '@bufbuild/protoplugin';

const { STRING, BYTES, DOUBLE, BOOL, INT32, INT64, SINT32 } = ScalarType;

/** By kind of scalar: its type on the wire, how the value `v` is written without its tag, and when it is not the default. */
const SCALARS = new Map([
  [STRING, { type: WireType.LengthDelimited, write: 'out.string(v)', isSet: "v !== ''" }],
  [BYTES, { type: WireType.LengthDelimited, write: 'out.bytes(v)', isSet: 'v.length > 0' }],
  [DOUBLE, { type: WireType.Bit64, write: 'out.double(v)', isSet: '!Object.is(v, 0)' }],
  [BOOL, { type: WireType.Varint, write: 'out.varint(v ? 1 : 0)', isSet: 'v' }],
  [INT32, { type: WireType.Varint, write: 'out.integer(v)', isSet: 'v !== 0' }],
  [INT64, { type: WireType.Varint, write: 'out.integer(v)', isSet: 'v !== 0n && v !== 0' }],
  [SINT32, { type: WireType.Varint, write: 'out.varint(((v << 1) ^ (v >> 31)) >>> 0)', isSet: 'v !== 0' }],
]);

function scalarOf(field) {
  const kind = field.fieldKind === 'enum' || field.listKind === 'enum' ? INT32 : field.scalar;
  const scalar = SCALARS.get(kind);
  if (scalar === undefined) throw new Error(`${field}: a scalar of another kind`);
  return scalar;
}

const tag = (field, type) => `out.varint(${field.number * 8 + type});`;
const writerOf = ({ typeName, file }) =>
  `write${typeName.slice(file.proto.package.length + 1).replaceAll('.', '_')}`;
const part = (field, write) =>
  `${tag(field, WireType.LengthDelimited)} const start = out.begin(); ${write} out.end(start);`;

/** Writes the value `v` of a field, or of an element of a list that is not packed, with its tag. */
function tagged(field) {
  if (field.message !== undefined) return part(field, `${writerOf(field.message)}(out, v);`);
  const { type, write } = scalarOf(field);
  return `${tag(field, type)} ${write};`;
}

function fieldLine(field) {
  const { localName, oneof, fieldKind } = field;
  if (fieldKind === 'map') throw new Error(`${field}: a map`);
  if (oneof !== undefined) {
    const chosen = `message.${oneof.localName}`;
    return `if (${chosen}?.case === '${localName}') { const v = ${chosen}.value; ${tagged(field)} }`;
  }
  const value = `message.${localName}`;
  if (fieldKind === 'list')
    return field.packed
      ? `if (${value}?.length > 0) { ${part(field, `for (const v of ${value}) ${scalarOf(field).write};`)} }`
      : `if (${value} !== undefined) for (const v of ${value}) { ${tagged(field)} }`;
  if (fieldKind === 'message') return `{ const v = ${value}; if (v !== undefined) { ${tagged(field)} } }`;
  if (field.presence === FeatureSet_FieldPresence.EXPLICIT) throw new Error(`${field}: an optional field`);
  return `{ const v = ${value}; if (v !== undefined && ${scalarOf(field).isSet}) { ${tagged(field)} } }`;
}

/** The message and all that its fields hold. */
function reachable(root, found = new Set()) {
  if (found.has(root)) return found;
  found.add(root);
  for (const { message } of root.fields) if (message !== undefined) reachable(message, found);
  return found;
}

/** The named messages of a file. */
const rootsOf = (file, { messages }) => file.messages.filter(({ typeName }) => messages.includes(typeName));

function generateJs(schema) {
  for (const file of schema.files) {
    const roots = rootsOf(file, schema.options);
    if (roots.length === 0) continue;
    const to = schema.generateFile(`${file.name}_encode.js`);
    to.preamble(file);
    for (const message of new Set(roots.flatMap((root) => [...reachable(root)]))) {
      const fields = message.fields.toSorted((one, other) => one.number - other.number);
      to.print(`${roots.includes(message) ? 'export ' : ''}function ${writerOf(message)}(out, message) {`);
      for (const field of fields) to.print(`  ${fieldLine(field)}`);
      to.print('}');
    }
  }
}

function generateDts(schema) {
  for (const file of schema.files) {
    const roots = rootsOf(file, schema.options);
    if (roots.length === 0) continue;
    const to = schema.generateFile(`${file.name}_encode.d.ts`);
    to.preamble(file);
    const bytes = to.import('WireBytes', '../wire-bytes.js', true);
    const init = to.import('MessageInitShape', '@bufbuild/protobuf', true);
    for (const message of roots)
      to.print(
        `export declare function ${writerOf(message)}(out: `,
        bytes,
        ', message: ',
        init,
        '<typeof ',
        to.importSchema(message, true),
        '>): void;',
      );
  }
}

runNodeJs(
  createEcmaScriptPlugin({
    name: 'protoc-gen-encoders',
    version: 'v1',
    parseOptions: (options) => ({
      messages: options.filter(({ key }) => key === 'message').map(({ value }) => value),
    }),
    generateTs: () => {
      throw new Error('only targets js and dts');
    },
    generateJs,
    generateDts,
  }),
);
