import { signal } from '@preact/signals';
import { queryClient, write } from './api.ts';
import type { NewApiKey } from './responses.ts';
import { accountId } from './session.ts';

/** Keys that were created since the page was opened. They are in its memory only. */
export const newKeys = signal<readonly NewApiKey[]>([]);

interface KeyFields {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at?: string | null;
}

export async function createKey(fields: KeyFields): Promise<NewApiKey> {
  const created = await write<NewApiKey>('POST', '/api/v1/api-keys', fields);
  newKeys.value = [...newKeys.value, created];
  await refreshKeys();
  return created;
}

export async function revokeKey(id: string): Promise<void> {
  await write('DELETE', `/api/v1/api-keys/${id}`);
  newKeys.value = newKeys.value.filter((key) => key.id !== id);
  await refreshKeys();
}

const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });

/** The newest key of this page with all of the scopes. */
export const keyWith = (...scopes: NewApiKey['scopes']): NewApiKey | undefined =>
  newKeys.value.findLast(
    (key) =>
      scopes.every((scope) => key.scopes.includes(scope)) &&
      (key.expires_at === null || Date.parse(key.expires_at) > Date.now()),
  );

/** The keys of one account are never used for another. */
accountId.subscribe(() => {
  newKeys.value = [];
});
