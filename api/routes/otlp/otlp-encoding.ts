import { AppError } from '../../../shared/errors.ts';
import type { AppContext } from '../../request/context.ts';

/** The media types of OTLP over HTTP. */
export const otlpMediaTypes = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;

/**
 * The encoding of a request, which is that of its answer too.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE.
 */
export function encodingOf(ctx: AppContext): keyof typeof otlpMediaTypes {
  const type = ctx.request.type.trim().toLowerCase();
  if (type === otlpMediaTypes.protobuf) return 'protobuf';
  if (type === otlpMediaTypes.json) return 'json';
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Log records must be sent as ${otlpMediaTypes.protobuf} or ${otlpMediaTypes.json}.`,
  );
}
