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
import { refusing, refusingStream } from './failures.js';
import { routeOlderReflection } from './older-reflection.js';
import type { Reflect } from './older-reflection.js';

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
    check: ({ service }) => refusing(() => ({ status: statusOf(service) })),
    async *watch({ service }, context) {
      const known = service === '' || SERVICES.includes(service);
      const { SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;
      const now = () => ({ status: known ? statusOf(service) : SERVICE_UNKNOWN });
      yield now();
      await withEither([context.signal, shutdown], aborted);
      yield now();
    },
  });
  const reflect: Reflect = (requests) => refusingStream(() => reflections(requests, shutdown));
  router.service(ServerReflection, { serverReflectionInfo: reflect });
  routeOlderReflection(router, reflect);
}

async function* reflections(
  requests: AsyncIterable<ServerReflectionRequest>,
  shutdown: AbortSignal,
): AsyncGenerator<ServerReflectionResponse> {
  const reading = requests[Symbol.asyncIterator]();
  for (;;) {
    const next = await unlessAborted(reading.next(), shutdown);
    if (next.done === true) return;
    yield reflected(next.value);
  }
}

function reflected(request: ServerReflectionRequest): ServerReflectionResponse {
  const { messageRequest } = request;
  const answer = (messageResponse: ServerReflectionResponse['messageResponse']): ServerReflectionResponse => {
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
    return answer(list.messageResponse);
  }
  const file =
    messageRequest.case === 'fileByFilename'
      ? fileNamed(messageRequest.value)
      : messageRequest.case === 'fileContainingSymbol'
        ? fileWith(messageRequest.value)
        : undefined;
  const found = create(ServerReflectionResponseSchema, {
    messageResponse:
      file === undefined
        ? { case: 'errorResponse', value: { errorCode: NOT_FOUND, errorMessage: 'not found' } }
        : { case: 'fileDescriptorResponse', value: { fileDescriptorProto: withImports(file) } },
  });
  return answer(found.messageResponse);
}

const NOT_FOUND = 5;

function all(): readonly DescFile[] {
  return [...new Set(FILES.flatMap((file) => [file, ...file.dependencies]))];
}

function fileNamed(name: string): DescFile | undefined {
  return all().find((file) => file.proto.name === name);
}

/** `pkg.Service`, `pkg.Service.Method` or `pkg.Message`. */
function fileWith(symbol: string): DescFile | undefined {
  return all().find((file) =>
    [...file.services, ...file.messages, ...file.enums].some(
      ({ typeName }) => symbol === typeName || symbol.startsWith(`${typeName}.`),
    ),
  );
}

function withImports(file: DescFile): Uint8Array[] {
  return [file, ...file.dependencies].map((one) => toBinary(FileDescriptorProtoSchema, one.proto));
}
