import type { ObjectSchema } from 'joi';
import {
  type NotebookChanges,
  type NotebookPageQuery,
  notebookSorts,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import { Joi, uuid } from '../http/joi.ts';
import { readOnlyFields } from '../http/read-only.ts';
import { notebook } from './notebooks.presenter.ts';

interface NotebookCreate {
  title: string;
  description: string | null;
}

export const notebookPath = Joi.object<{ notebook_id: string }>({
  notebook_id: uuid('has an invalid notebook ID format: it must be a UUID').required(),
});

const title = Joi.text().trim().characters(3, 100).visible();
const description = Joi.text().allow('', null).characters(0, 500);

export const notebookCreate: ObjectSchema<NotebookCreate> = Joi.object<NotebookCreate>({
  title: title.required(),
  description: description.default(null),
});

const { properties: shown } = notebook;

/** Fields of a response that an update can repeat, so that a client can PATCH what it has read. */
export const readOnlyNotebookFields = readOnlyFields({
  id: shown.id,
  created_at: shown.created_at,
  updated_at: shown.updated_at,
});

export const notebookUpdate: ObjectSchema<NotebookChanges> = Joi.object<NotebookChanges>({
  title,
  description,
  ...readOnlyNotebookFields,
}).min(1);

export const notebookListQuery: ObjectSchema<NotebookPageQuery> = Joi.object<NotebookPageQuery>({
  limit: Joi.number().integer().min(1).max(100).default(20),
  offset: Joi.number().integer().min(0).max(1_000_000_000).default(0),
  sort: Joi.string()
    .valid(...notebookSorts)
    .default('created_at'),
  order: Joi.string().valid('asc', 'desc').default('desc'),
});
