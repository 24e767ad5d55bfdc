import { Joi, uuid } from '../../validation/joi.ts';

export const ingestJobPath = Joi.object<{ id: string }>({ id: uuid().required() });
