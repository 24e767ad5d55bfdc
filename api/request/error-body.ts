import { type Static, Type } from 'typebox';
import type { AppError } from '../../shared/errors.ts';
import { nullable, timestamp, uuid } from '../routing/answer-types.ts';

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

/** The body of every error, in the notebook interface and in all others. */
export const errorAnswer = Type.Object(envelopeFields, { $id: 'ErrorEnvelope' });

export function presentError(
  error: Pick<AppError, 'code' | 'message' | 'details'>,
  requestId: string,
): Static<typeof errorAnswer> {
  const { code, message, details } = error;
  return {
    success: false,
    error: { code, message, details: details && [...details] },
    meta: { timestamp: new Date().toISOString(), request_id: requestId },
  };
}
