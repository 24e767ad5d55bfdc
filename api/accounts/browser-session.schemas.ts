import type { ObjectSchema } from 'joi';
import { Joi } from '../http/joi.ts';

const headerValue = 'meterbook';

/**
 * A page of another origin can send this header only after a preflight, which the service does not
 * grant.
 */
export const browserHeaders = Joi.object<{ 'X-Requested-With': string }>({
  'X-Requested-With': Joi.string()
    .valid(headerValue)
    .required()
    .example(headerValue)
    .description('Shows that a page of this service sends the request.'),
});

export const endSessionQuery: ObjectSchema<{ everywhere: boolean }> = Joi.object<{ everywhere: boolean }>({
  everywhere: Joi.boolean().default(false).description('End all sessions of the account.'),
});
