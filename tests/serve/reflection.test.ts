/** Tools find the services without a .proto file, under both names of the reflection protocol. */
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from '../../src/serve/gen/grpc/reflection/v1/reflection_pb.js';
import type { ServerReflectionResponse } from '../../src/serve/gen/grpc/reflection/v1/reflection_pb.js';
import { ROOT } from '../support/children.js';
import { servedWorld } from '../support/served-world.js';

type Asked = MessageInitShape<typeof ServerReflectionRequestSchema>;

/** The answers to requests on one stream; both names have the same messages on the wire. */
function reflected(address: string, name: string, asked: readonly Asked[]) {
  const client = new Client(new URL(address).host, credentials.createInsecure());
  const stream = client.makeBidiStreamRequest(
    `/grpc.reflection.${name}.ServerReflection/ServerReflectionInfo`,
    (one: Asked) =>
      Buffer.from(toBinary(ServerReflectionRequestSchema, create(ServerReflectionRequestSchema, one))),
    (bytes: Buffer) => fromBinary(ServerReflectionResponseSchema, bytes),
  );
  const answers: ServerReflectionResponse[] = [];
  for (const one of asked) stream.write(one);
  stream.end();
  return new Promise<readonly ServerReflectionResponse[]>((resolve, reject) => {
    stream.on('data', (one: ServerReflectionResponse) => answers.push(one));
    stream.on('error', reject);
    stream.on('end', () => resolve(answers));
  }).finally(() => client.close());
}

it.each(['v1', 'v1alpha'])('by grpc.reflection.%s', async (name) => {
  const { address } = await servedWorld(join(ROOT, 'scenarios/two-keepers.yaml'));
  const [list, file, none] = await reflected(address, name, [
    { messageRequest: { case: 'listServices', value: '' } },
    { messageRequest: { case: 'fileContainingSymbol', value: 'orchestrate.world.v1.PlayService' } },
    { messageRequest: { case: 'fileByFilename', value: 'no.proto' } },
  ]);
  const services = list?.messageResponse;
  expect(services?.case === 'listServicesResponse' && services.value.service.map((one) => one.name)).toEqual([
    'grpc.health.v1.Health',
    'grpc.reflection.v1.ServerReflection',
    ...['Lease', 'Play', 'Viewer', 'World'].map((one) => `orchestrate.world.v1.${one}Service`),
  ]);
  const files = file?.messageResponse.case === 'fileDescriptorResponse' ? file.messageResponse.value : null;
  const [world] = (files?.fileDescriptorProto ?? []).map((one) => fromBinary(FileDescriptorProtoSchema, one));
  expect(world?.service.map((one) => one.name)).toContain('PlayService');
  expect(none?.messageResponse).toMatchObject({ case: 'errorResponse', value: { errorCode: 5 } });
  expect(none?.originalRequest?.messageRequest).toEqual({ case: 'fileByFilename', value: 'no.proto' });
});
