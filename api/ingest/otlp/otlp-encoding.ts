import { unsupportedType } from '../../http/body/request-body.ts';
import type { AppContext } from '../../http/context.ts';

/** The media types of OTLP over HTTP. */
export const otlpMediaTypes = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;

/**
 * The encoding of a request, which is that of its response too.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE.
 */
export function encodingOf(ctx: AppContext): keyof typeof otlpMediaTypes {
  if (isProtobuf(ctx)) return 'protobuf';
  if (typeOf(ctx) === otlpMediaTypes.json) return 'json';
  throw unsupportedType(ctx, [otlpMediaTypes.protobuf, otlpMediaTypes.json]);
}

export const isProtobuf = (ctx: AppContext) => typeOf(ctx) === otlpMediaTypes.protobuf;

/**
 * The media type of the request, also of one without a body, which is a valid message in protobuf.
 */
const typeOf = ({ request }: AppContext) => request.type.trim().toLowerCase();
