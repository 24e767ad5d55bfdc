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
  await keepKey(created);
  return created;
}

export async function keepKey(created: NewApiKey): Promise<void> {
  newKeys.value = [...newKeys.value.filter(({ id }) => id !== created.id), created];
  await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
}

export function forgetKey(id: string): void {
  newKeys.value = newKeys.value.filter((key) => key.id !== id);
}

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
