/**
 * Reflection under its name before version 1, `grpc.reflection.v1alpha`: the same protocol, and the only one
 * that Python's grpcio-reflection and older tools ask for. Its description is version 1's with that name.
 */
import { createFileRegistry, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import type { DescMessage, JsonValue, Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { known } from '../../base/assert.js';
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from '../gen/grpc/reflection/v1/reflection_pb.js';
import type {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '../gen/grpc/reflection/v1/reflection_pb.js';

export type ReflectCall = (
  requests: AsyncIterable<ServerReflectionRequest>,
  context: HandlerContext,
) => AsyncIterable<ServerReflectionResponse>;

/** Answers calls of the older name as `reflect` answers those of version 1. */
export function routeOlderReflection(router: ConnectRouter, reflect: ReflectCall): void {
  const service = olderService();
  const { input, output } = service.method.serverReflectionInfo;
  router.service(service, {
    async *serverReflectionInfo(requests, context) {
      const current = convertMessages(requests, input, ServerReflectionRequestSchema);
      for await (const answer of reflect(current, context))
        yield fromBinary(output, toBinary(ServerReflectionResponseSchema, answer));
    },
  });
}

/** Its messages have the fields of version 1, but other type names: each is converted through its bytes. */
function olderService(): typeof ServerReflection {
  const file = JSON.stringify(toJson(FileDescriptorProtoSchema, file_grpc_reflection_v1_reflection.proto))
    .replaceAll('grpc.reflection.v1', 'grpc.reflection.v1alpha')
    .replaceAll('grpc/reflection/v1/', 'grpc/reflection/v1alpha/');
  const proto = fromJson(FileDescriptorProtoSchema, JSON.parse(file) as JsonValue);
  const registry = createFileRegistry(proto, () => undefined);
  const service = known(registry.getService('grpc.reflection.v1alpha.ServerReflection'), 'the older service');
  return service as typeof ServerReflection;
}

async function* convertMessages<T extends Message>(
  messages: AsyncIterable<Message>,
  from: DescMessage,
  to: GenMessage<T>,
): AsyncGenerator<T> {
  for await (const message of messages) yield fromBinary(to, toBinary(from, message));
}
