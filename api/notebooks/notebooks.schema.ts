import type { ObjectSchema } from 'joi';
import { type Static, type TSchema, Type } from 'typebox';
import type { Config } from '../../shared/config/config.ts';
import {
  type NotebookChanges,
  type NotebookFields,
  type NotebookPageQuery,
  notebookSorts,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import { Joi, uuid } from '../http/joi.ts';
import { readOnlyFields } from '../http/read-only.ts';
import { count, nullable, timestamp, uuid as uuidText } from '../http/response-types.ts';

/** The envelope of every successful response of the notebook interface. */
const successOf = <Data extends TSchema>(data: Data, options: { $id: string }) =>
  Type.Object(
    { success: Type.Literal(true), data, meta: Type.Object({ timestamp: timestamp(), request_id: uuidText() }) },
    options,
  );

const notebook = Type.Object(
  {
    id: uuidText(),
    title: Type.String({ minLength: 3, maxLength: 100 }),
    description: nullable(Type.String({ maxLength: 500 })),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { $id: 'Notebook' },
);

export const notebookResponse = successOf(notebook, { $id: 'NotebookAnswer' });

export const notebookListResponse = successOf(
  Type.Object({
    items: Type.Array(notebook),
    pagination: Type.Object({
      total: count(),
      limit: count(),
      offset: count(),
      has_more: Type.Optional(Type.Boolean({ description: 'Variant 0.1.0 only.' })),
    }),
  }),
  { $id: 'NotebookList' },
);

export function success<Data>(data: Data, requestId: string) {
  return { success: true as const, data, meta: { timestamp: new Date().toISOString(), request_id: requestId } };
}

export function presentNotebook(fields: NotebookFields): Static<typeof notebook> {
  const { id, title, description, createdAt, updatedAt } = fields;
  return { id, title, description, created_at: createdAt, updated_at: updatedAt };
}

export function presentNotebookPage(
  { items, total }: { items: NotebookFields[]; total: number },
  { limit, offset }: NotebookPageQuery,
  variant: Config['notebooks']['variant'],
) {
  return {
    items: items.map(presentNotebook),
    pagination: {
      total,
      limit,
      offset,
      ...(variant === '0.1.0' ? { has_more: offset + limit < total } : {}),
    },
  };
}

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

const exampleNotebook = {
  id: '607bd1c0-6aad-41f4-9abc-27c4b162ae5e',
  title: 'Field notes',
  description: 'What the logs of May show',
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
};
const meta = { timestamp: '2026-05-01T12:00:00.000Z', request_id: 'd0c5cc42-1760-412d-8b12-62fc8a18f77a' };

export const notebookExample: Static<typeof notebookResponse> = { success: true, data: exampleNotebook, meta };

export const notebookListExample: Static<typeof notebookListResponse> = {
  success: true,
  data: { items: [exampleNotebook], pagination: { total: 1, limit: 20, offset: 0 } },
  meta,
};
