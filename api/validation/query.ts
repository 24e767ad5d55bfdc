import type { Schema } from 'joi';
import { validationError } from '../../shared/errors.ts';
import type { AppContext } from '../request/context.ts';
import { check } from './validate.ts';

/**
 * The query of a request as the schema sees it.
 * @throws AppError VALIDATION_ERROR that lists every fault, with `faultStatus` where the address has one of its own.
 */
export function validateQuery<T>(schema: Schema<T>, ctx: AppContext, faultStatus?: number): T {
  // The parser makes an object without prototype, which schemas do not take for one.
  const result = check(schema, { ...ctx.query }, 'query');
  if ('faults' in result) throw validationError(result.faults, faultStatus);
  return result.value;
}
