/**
 * What gRPC tools expect of any server: health, and reflection, by which `grpcurl` and others find the
 * services without a .proto file.
 */
import type { ConnectRouter } from '@connectrpc/connect';
import { create, toBinary } from '@bufbuild/protobuf';
import type { DescFile } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  file_grpc_health_v1_health,
  Health,
  HealthCheckResponse_ServingStatus,
} from '../gen/grpc/health/v1/health_pb.js';
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
  ServerReflectionResponseSchema,
} from '../gen/grpc/reflection/v1/reflection_pb.js';
import type {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '../gen/grpc/reflection/v1/reflection_pb.js';
import { file_orchestrate_world_v1_world } from '../gen/orchestrate/world/v1/world_pb.js';
import { aborted, unlessAborted, withEither } from '../../model/abort.js';
import { ServeError } from '../serve-error.js';
import { withStatus, streamWithStatus } from './failures.js';
import { routeOlderReflection } from './older-reflection.js';
import type { ReflectCall } from './older-reflection.js';

const FILES: readonly DescFile[] = [
  file_orchestrate_world_v1_world,
  file_grpc_health_v1_health,
  file_grpc_reflection_v1_reflection,
];

const SERVICES = FILES.flatMap((file) => file.services.map(({ typeName }) => typeName)).toSorted();

export function routeStandard(router: ConnectRouter, shutdown: AbortSignal): void {
  const statusOf = (service: string): HealthCheckResponse_ServingStatus => {
    if (service !== '' && !SERVICES.includes(service))
      throw new ServeError('RUN_NOT_FOUND', `there is no service "${service}"`);
    const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
    return shutdown.aborted ? NOT_SERVING : SERVING;
  };
  router.service(Health, {
    check: ({ service }) => withStatus(() => ({ status: statusOf(service) })),
    async *watch({ service }, context) {
      const isKnown = service === '' || SERVICES.includes(service);
      const { SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;
      const currentStatus = () => ({ status: isKnown ? statusOf(service) : SERVICE_UNKNOWN });
      yield currentStatus();
      await withEither([context.signal, shutdown], aborted);
      yield currentStatus();
    },
  });
  const reflect: ReflectCall = (requests, { signal }) =>
    streamWithStatus(() => reflections(requests, shutdown), signal);
  router.service(ServerReflection, { serverReflectionInfo: reflect });
  routeOlderReflection(router, reflect);
}

async function* reflections(
  requests: AsyncIterable<ServerReflectionRequest>,
  shutdown: AbortSignal,
): AsyncGenerator<ServerReflectionResponse> {
  const iterator = requests[Symbol.asyncIterator]();
  for (;;) {
    const next = await unlessAborted(iterator.next(), shutdown);
    if (next.done === true) return;
    yield answerReflection(next.value);
  }
}

function answerReflection(request: ServerReflectionRequest): ServerReflectionResponse {
  const { messageRequest } = request;
  const respond = (
    messageResponse: ServerReflectionResponse['messageResponse'],
  ): ServerReflectionResponse => {
    const response = create(ServerReflectionResponseSchema, {
      validHost: request.host,
      originalRequest: request,
    });
    response.messageResponse = messageResponse;
    return response;
  };
  if (messageRequest.case === 'listServices') {
    const list = create(ServerReflectionResponseSchema, {
      messageResponse: {
        case: 'listServicesResponse',
        value: { service: SERVICES.map((name) => ({ name })) },
      },
    });
    return respond(list.messageResponse);
  }
  const file =
    messageRequest.case === 'fileByFilename'
      ? allFiles().find(({ proto }) => proto.name === messageRequest.value)
      : messageRequest.case === 'fileContainingSymbol'
        ? fileContaining(messageRequest.value)
        : undefined;
  const result = create(ServerReflectionResponseSchema, {
    messageResponse:
      file === undefined
        ? { case: 'errorResponse', value: { errorCode: NOT_FOUND, errorMessage: 'not found' } }
        : {
            case: 'fileDescriptorResponse',
            value: {
              fileDescriptorProto: [file, ...file.dependencies].map((dependency) =>
                toBinary(FileDescriptorProtoSchema, dependency.proto),
              ),
            },
          },
  });
  return respond(result.messageResponse);
}

const NOT_FOUND = 5;

function allFiles(): readonly DescFile[] {
  return [...new Set(FILES.flatMap((file) => [file, ...file.dependencies]))];
}

/** `pkg.Service`, `pkg.Service.Method` or `pkg.Message`. */
function fileContaining(symbol: string): DescFile | undefined {
  return allFiles().find((file) =>
    [...file.services, ...file.messages, ...file.enums].some(
      ({ typeName }) => symbol === typeName || symbol.startsWith(`${typeName}.`),
    ),
  );
}
