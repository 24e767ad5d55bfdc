import { Joi, uuid } from '../http/joi.ts';

export const ingestJobPath = Joi.object<{ id: string }>({ id: uuid().required() });
