import type { Config } from '../../../shared/config.ts';
import type { NotebookFields, NotebookPageQuery } from '../../../shared/queues/notebook-calls.queue.ts';
import type { AppContext } from '../../request/context.ts';

/** The envelope of every success of the notebook interface. */
export function success<Data>(ctx: AppContext, data: Data) {
  return { success: true, data, meta: { timestamp: new Date().toISOString(), request_id: ctx.state.requestId } };
}

export function presentNotebook({ id, title, description, createdAt, updatedAt }: NotebookFields) {
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
