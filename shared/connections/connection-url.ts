/**
 * Removes credentials and query from a connection string, so that the string can be logged.
 * Everything before the last `@` is removed, because a password can contain an unencoded `@`, `/`
 * or `?`. The query is removed because it can contain a password. If the query contains an `@`, the
 * host is removed too, but no secret remains.
 */
export function removeCredentials(url: string): string {
  return url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');
}
