import { useQuery } from '@tanstack/preact-query';
import { queryClient, read, write } from '../client/api.ts';
import type { Account, AccountList, NewAccount, PasswordLink } from '../client/responses.ts';
import { serviceUrl } from '../client/settings.ts';

const path = '/api/v1/users';

export const accountsPerPage = 20;

export const readAccounts = (page: number, signal: AbortSignal) =>
  read<AccountList>(path, { page, page_size: accountsPerPage }, signal);

/** Accounts that can become owners, the oldest first: as many as a page of the API has. */
export const useOwners = () =>
  useQuery({
    queryKey: ['accounts', 'owners'],
    queryFn: ({ signal }) => read<AccountList>(path, { page_size: 100 }, signal),
  });

export const createAccount = (fields: { email: string; role: string }) =>
  changed(write<NewAccount>('POST', path, fields));

export const changeAccount = (id: string, changes: Partial<Pick<Account, 'role' | 'disabled'>>) =>
  changed(write<Account>('PATCH', `${path}/${id}`, changes));

export const deleteAccount = (id: string) => changed(write('DELETE', `${path}/${id}`));

export const transferTo = (id: string, to: string) => changed(write('POST', `${path}/${id}/transfer`, { to }));

export const createPasswordLink = (id: string) => changed(write<PasswordLink>('POST', `${path}/${id}/password-link`));

async function changed<Result>(request: Promise<Result>): Promise<Result> {
  const result = await request;
  await queryClient.invalidateQueries({ queryKey: ['accounts'] });
  return result;
}

/**
 * The address at which the owner of an account sets its password. Browsers send no part of it that
 * follows the `#`.
 */
export const addressOfLink = ({ token }: Pick<PasswordLink, 'token'>): string => `${serviceUrl}#/password/${token}`;
