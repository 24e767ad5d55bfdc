import type { ObjectSchema } from 'joi';
import { type Role, roles } from '../../shared/accounts/user.model.ts';
import type { Config } from '../../shared/config/config.ts';
import { Joi, uuid } from '../http/joi.ts';

export interface UserCreate {
  email: string;
  role: Role;
}

export interface UserUpdate {
  role?: Role;
  disabled?: boolean;
}

export interface UserTransfer {
  to: string;
}

const role = Joi.string().valid(...roles);

export const userPath = Joi.object<{ id: string }>({ id: uuid().required() });

export const userCreate: ObjectSchema<UserCreate> = Joi.object<UserCreate>({
  email: Joi.email().required(),
  role: role.default('member'),
});

export const userUpdate: ObjectSchema<UserUpdate> = Joi.object<UserUpdate>({
  role,
  disabled: Joi.boolean().strict().description('A disabled account has no sessions and no API keys.'),
}).min(1);

export const userTransfer: ObjectSchema<UserTransfer> = Joi.object<UserTransfer>({
  to: uuid().required().description('The id of the new owner.'),
});

export function userList(pageSize: Config['pageSize']): ObjectSchema<{ page: number; page_size: number }> {
  return Joi.object<{ page: number; page_size: number }>({
    page: Joi.number().integer().min(1).max(1_000_000).default(1),
    page_size: Joi.number().integer().min(1).max(pageSize.max).default(pageSize.default),
  });
}
