import { type Static, Type } from 'typebox';
import type { AppError } from '../../shared/errors.ts';
import { nullable, timestamp, uuid } from './response-types.ts';

const fieldError = Type.Object({ field: Type.String(), error: Type.String() });
const wait = Type.Object({ retry_after: Type.Integer({ minimum: 1, description: 'Seconds.' }) });

export const envelopeFields = {
  success: Type.Literal(false),
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: nullable(Type.Array(Type.Union([fieldError, wait]))),
  }),
  meta: Type.Object({ timestamp: timestamp(), request_id: uuid() }),
};

/** The body of every error, except those of routes with another `ErrorFormat`. */
export const errorEnvelope = Type.Object(envelopeFields, {
  $id: 'ErrorEnvelope',
  examples: [
    {
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid: name is not allowed to be empty.',
        details: [{ field: 'name', error: 'is not allowed to be empty' }],
      },
      meta: { timestamp: '2026-05-01T12:00:00.000Z', request_id: '86343d4d-bee3-4355-84f8-372c3f9cc8e7' },
    },
  ],
});

export function presentError(
  error: Pick<AppError, 'code' | 'message' | 'details'>,
  requestId: string,
): Static<typeof errorEnvelope> {
  const { code, message, details } = error;
  return {
    success: false,
    error: { code, message, details: details && [...details] },
    meta: { timestamp: new Date().toISOString(), request_id: requestId },
  };
}
