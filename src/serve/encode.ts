/**
 * Messages as protobuf bytes, from plain data: the messages of every tick are written once, by a plan made
 * from their descriptor, into one buffer that is reused. The library's own encoder consults the descriptor
 * for each field of each message, which takes ten times as long (docs/explanation/performance.md); the bytes
 * are the same. In: a schema and the message's data; out: its bytes.
 */
import { ScalarType } from '@bufbuild/protobuf';
import type { DescField, DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { assert, known } from '../base/assert.js';
import { WireBytes } from './wire-bytes.js';

type Plain = Readonly<Record<string, unknown>>;
type Write = (out: WireBytes, value: unknown) => void;
type WriteField = (out: WireBytes, message: Plain) => void;

/** `lead`: the number of bytes that are left free before the message. */
export function encode<D extends DescMessage>(schema: D, init: MessageInitShape<D>, lead = 0): Buffer {
  const out = new WireBytes(lead);
  writeMessage(out, schema, init);
  return out.taken();
}

const plans = new WeakMap<DescMessage, readonly WriteField[]>();

function writeMessage(out: WireBytes, schema: DescMessage, message: Plain): void {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = schema.fields.toSorted((one, other) => one.number - other.number).map(fieldWriter);
    plans.set(schema, plan);
  }
  for (const write of plan) write(out, message);
}

function fieldWriter(field: DescField): WriteField {
  const { localName, oneof } = field;
  if (oneof !== undefined) {
    const write = valueWriter(field);
    return (out, message) => {
      const chosen = message[oneof.localName] as
        { readonly case?: string; readonly value?: unknown } | undefined;
      if (chosen?.case === localName) write(out, chosen.value);
    };
  }
  if (field.fieldKind === 'list') return listWriter(field);
  const write = valueWriter(field);
  const isMessage = field.fieldKind === 'message';
  return (out, message) => {
    const value = message[localName];
    if (value === undefined || (!isMessage && isZero(value))) return;
    write(out, value);
  };
}

function isZero(value: unknown): boolean {
  return (
    Object.is(value, 0) ||
    value === '' ||
    value === false ||
    value === 0n ||
    (value instanceof Uint8Array && value.length === 0)
  );
}

function listWriter(field: Extract<DescField, { fieldKind: 'list' }>): WriteField {
  const { localName, number, listKind, packed } = field;
  if (!packed) {
    const write =
      listKind === 'message' ? messageWriter(number, field.message) : scalarWriter(number, field.scalar);
    return (out, message) => {
      for (const value of (message[localName] ?? []) as readonly unknown[]) write(out, value);
    };
  }
  const write = BARE[known(field.scalar, 'the kind of a packed list')];
  assert(write !== undefined, `a list of another kind in ${field.toString()}`);
  const tag = tagOf(number, WireType.LengthDelimited);
  return (out, message) => {
    const values = (message[localName] ?? []) as readonly unknown[];
    if (values.length === 0) return;
    out.varint(tag);
    const start = out.begin();
    for (const value of values) write(out, value);
    out.end(start);
  };
}

function valueWriter(field: DescField): Write {
  if (field.fieldKind === 'message') return messageWriter(field.number, field.message);
  assert(
    field.fieldKind === 'scalar' || field.fieldKind === 'enum',
    `another kind of field: ${field.toString()}`,
  );
  assert(
    field.presence !== FeatureSet_FieldPresence.EXPLICIT || field.oneof !== undefined,
    `an optional field: ${field.toString()}`,
  );
  return scalarWriter(field.number, field.fieldKind === 'enum' ? ScalarType.INT32 : field.scalar);
}

function messageWriter(number: number, schema: DescMessage): Write {
  const tag = tagOf(number, WireType.LengthDelimited);
  return (out, value) => {
    out.varint(tag);
    const start = out.begin();
    writeMessage(out, schema, value as Plain);
    out.end(start);
  };
}

function scalarWriter(number: number, scalar: ScalarType | undefined): Write {
  const kind = known(scalar, 'the kind of a scalar');
  const write = BARE[kind];
  assert(write !== undefined, `a scalar of another kind: ${ScalarType[kind]}`);
  const tag = tagOf(number, WIRE_TYPES[kind] ?? WireType.Varint);
  return (out, value) => {
    out.varint(tag);
    write(out, value);
  };
}

function tagOf(number: number, type: WireType): number {
  return number * 8 + type;
}

const WIRE_TYPES: Readonly<Partial<Record<ScalarType, WireType>>> = {
  [ScalarType.STRING]: WireType.LengthDelimited,
  [ScalarType.BYTES]: WireType.LengthDelimited,
  [ScalarType.DOUBLE]: WireType.Bit64,
};

/** By kind of scalar: writes the value without its tag. Only the kinds in observations and acknowledgements. */
const BARE: Readonly<Partial<Record<ScalarType, Write>>> = {
  [ScalarType.STRING]: (out, value) => out.string(value as string),
  [ScalarType.BYTES]: (out, value) => out.bytes(value as Uint8Array),
  [ScalarType.DOUBLE]: (out, value) => out.double(value as number),
  [ScalarType.BOOL]: (out, value) => out.varint(value === true ? 1 : 0),
  [ScalarType.INT32]: (out, value) => out.integer(value as number),
  [ScalarType.INT64]: (out, value) => out.integer(value as bigint),
  [ScalarType.SINT32]: (out, value) =>
    out.varint((((value as number) << 1) ^ ((value as number) >> 31)) >>> 0),
};
