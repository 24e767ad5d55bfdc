import type { ObjectSchema } from 'joi';
import { Joi } from '../http/joi.ts';
import { maxPasswordBytes, minPasswordBytes } from './passwords.ts';

export interface Credentials {
  email: string;
  password: string;
}

export interface Registration extends Credentials {
  role?: 'member';
}

interface PasswordChange {
  current_password: string;
  new_password: string;
}

const newPassword = Joi.string()
  .min(minPasswordBytes, 'utf8')
  .max(maxPasswordBytes, 'utf8')
  .required()
  .messages({
    'string.empty': `must be at least ${minPasswordBytes} bytes of UTF-8`,
    'string.min': `must be at least ${minPasswordBytes} bytes of UTF-8`,
    'string.max': `must be at most ${maxPasswordBytes} bytes of UTF-8`,
  })
  .description(`${minPasswordBytes} to ${maxPasswordBytes} bytes of UTF-8.`);

/** Follows no rule of new passwords, because an error by such a rule would help to guess it. */
const knownPassword = Joi.string().max(1024).required();

export const registerBody: ObjectSchema<Registration> = Joi.object<Registration>({
  email: Joi.email().required(),
  password: newPassword,
  role: Joi.string().valid('member').description('With it, the account does not become the admin.'),
});

export const loginBody: ObjectSchema<Credentials> = Joi.object<Credentials>({
  email: Joi.string().trim().max(254).required(),
  password: knownPassword,
});

export const passwordResetBody = Joi.object<{ token: string; password: string }>({
  token: Joi.string().max(1024).required().description('The token of a password link.'),
  password: newPassword,
});

export const refreshBody = Joi.object<{ refresh_token: string }>({ refresh_token: Joi.string().max(4096).required() });

export const passwordBody: ObjectSchema<PasswordChange> = Joi.object<PasswordChange>({
  current_password: knownPassword,
  new_password: newPassword
    .disallow(Joi.ref('current_password'))
    .messages({ 'any.invalid': 'must differ from the current password' }),
});
