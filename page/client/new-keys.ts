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

export const apiKeysPath = '/api/v1/api-keys';

export const createKey = (fields: KeyFields): Promise<NewApiKey> => keepNew(apiKeysPath, fields);

/** @param grace seconds in which the present key works beside the new one. */
export const rotateKey = (id: string, grace: number): Promise<NewApiKey> =>
  keepNew(`${apiKeysPath}/${id}/rotate`, { grace_seconds: grace });

async function keepNew(path: string, body: object): Promise<NewApiKey> {
  const created = await write<NewApiKey>('POST', path, body);
  newKeys.value = [...newKeys.value.filter(({ id }) => id !== created.id), created];
  await refreshKeys();
  return created;
}

export async function renameKey(id: string, name: string): Promise<void> {
  await write('PATCH', `${apiKeysPath}/${id}`, { name });
  await refreshKeys();
}

export async function revokeKey(id: string): Promise<void> {
  await write('DELETE', `${apiKeysPath}/${id}`);
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
