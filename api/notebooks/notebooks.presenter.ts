import { type Static, type TSchema, Type } from 'typebox';
import type { Config } from '../../shared/config/config.ts';
import type { NotebookFields, NotebookPageQuery } from '../../shared/notebooks/notebook-calls.queue.ts';
import { count, nullable, timestamp, uuid } from '../http/response-types.ts';

/** The envelope of every successful response of the notebook interface. */
const successOf = <Data extends TSchema>(data: Data, options: { $id: string }) =>
  Type.Object(
    { success: Type.Literal(true), data, meta: Type.Object({ timestamp: timestamp(), request_id: uuid() }) },
    options,
  );

export const notebook = Type.Object(
  {
    id: uuid(),
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
