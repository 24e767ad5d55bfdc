import { AppError } from '../../shared/errors.ts';
import type { BodyForm } from '../../shared/ingest/reading/body-form.ts';
import { bodyError } from '../../shared/json/field-errors.ts';
import { unsupportedType } from '../http/body/request-body.ts';
import type { AppContext } from '../http/context.ts';

const json = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const jsonLines = /^(?:application|text)\/(?:x-)?(?:ndjson|ldjson|jsonl|jsonlines|json-lines)$/;
const protobuf = /^application\/(?:x-|vnd\.google\.)?protobuf$/;
/** The types that clients send by default, whatever the body is. */
const saysNothing = new Set(['', 'application/octet-stream', 'application/x-www-form-urlencoded']);

/** The types that an error names. Other names of JSON and NDJSON are accepted too. */
const documentedTypes = ['application/json', 'application/x-ndjson', 'text/plain'] as const;

/**
 * The form of a body by its media type; null if the type says nothing about it.
 * @throws AppError VALIDATION_ERROR without a body, UNSUPPORTED_MEDIA_TYPE for any other type.
 */
export function formOfType(ctx: AppContext): BodyForm | null {
  if (ctx.is() === null || ctx.request.length === 0) throw bodyError('is required');
  const type = ctx.request.type.toLowerCase();
  if (json.test(type)) return 'values';
  if (jsonLines.test(type)) return 'lines';
  if (type === 'text/plain') return 'text';
  if (saysNothing.has(type)) return null;
  const instead = insteadOf(type, ctx.path);
  throw instead ? new AppError('UNSUPPORTED_MEDIA_TYPE', instead) : unsupportedType(ctx, documentedTypes);
}

/** Says what to send instead of a body of this type; undefined if only the type is wrong. */
function insteadOf(type: string, path: string): string | undefined {
  if (type === 'multipart/form-data') {
    return 'Log entries must be the body itself, not a file in a form: with curl, --data-binary @FILE instead of -F.';
  }
  if (protobuf.test(type)) {
    const address = /^\/ingest\/?$/i.test(path) ? '/v1/logs' : `${path.replace(/\/$/, '')}/v1/logs`;
    return `Protobuf must be an OTLP export of logs, sent to ${address}.`;
  }
  return undefined;
}
