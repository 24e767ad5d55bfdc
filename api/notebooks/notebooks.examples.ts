import type { Static } from 'typebox';
import type { notebookListResponse, notebookResponse } from './notebooks.presenter.ts';

const notebook = {
  id: '607bd1c0-6aad-41f4-9abc-27c4b162ae5e',
  title: 'Field notes',
  description: 'What the logs of May show',
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
};
const meta = { timestamp: '2026-05-01T12:00:00.000Z', request_id: 'd0c5cc42-1760-412d-8b12-62fc8a18f77a' };

export const notebookExample: Static<typeof notebookResponse> = { success: true, data: notebook, meta };

export const notebookListExample: Static<typeof notebookListResponse> = {
  success: true,
  data: { items: [notebook], pagination: { total: 1, limit: 20, offset: 0 } },
  meta,
};
