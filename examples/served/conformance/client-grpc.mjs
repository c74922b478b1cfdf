#!/usr/bin/env node
/**
 * The checks over gRPC with grpc-js, which reads the .proto files itself: node client-grpc.mjs 127.0.0.1:50051 [FOLDER of the .proto files].
 * ORCHESTRATE_TOKEN is sent where it is set; it needs the role operator.
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import { Refused, runChecks } from './checks.mjs';

const address = process.argv[2] ?? '127.0.0.1:50051';
const folder = process.argv[3] ?? fileURLToPath(new URL('../../../proto', import.meta.url));
const files = ['orchestrate/world/v1/world.proto', 'grpc/health/v1/health.proto'];
const options = { includeDirs: [folder], longs: String, enums: String, bytes: String };
const known = grpc.loadPackageDefinition(loader.loadSync(files, options));

const metadata = new grpc.Metadata();
if (process.env.ORCHESTRATE_TOKEN !== undefined)
  metadata.set('authorization', `Bearer ${process.env.ORCHESTRATE_TOKEN}`);

const clients = new Map();

/** "orchestrate.world.v1.PlayService/SubmitIntent" as a function of the client of its service. */
function methodOf(name) {
  const [service, method] = name.split('/');
  const Client = service.split('.').reduce((now, part) => now[part], known);
  if (!clients.has(service)) clients.set(service, new Client(address, grpc.credentials.createInsecure()));
  const client = clients.get(service);
  return client[method].bind(client);
}

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; }
`);

function refused(error) {
  const [bytes] = error.metadata?.get('grpc-status-details-bin') ?? [];
  const { details } = bytes === undefined ? { details: [] } : root.lookupType('Status').decode(bytes);
  const info = details.find(({ type_url: type, typeUrl = type }) => typeUrl.endsWith('google.rpc.ErrorInfo'));
  const reason = info === undefined ? '' : root.lookupType('ErrorInfo').decode(info.value).reason;
  return new Refused(grpc.status[error.code], reason, error.details);
}

function call(method, request) {
  return new Promise((resolve, reject) => {
    const deadline = new Date(Date.now() + 20_000);
    methodOf(method)(request, metadata, { deadline }, (error, answer) =>
      error === null ? resolve(answer) : reject(refused(error)),
    );
  });
}

async function* stream(method, request) {
  const messages = methodOf(method)(request, metadata);
  try {
    yield* messages;
  } catch (error) {
    if (error.code !== grpc.status.CANCELLED) throw refused(error);
  } finally {
    messages.cancel();
  }
}

process.exit((await runChecks({ call, stream })) === 0 ? 0 : 1);
