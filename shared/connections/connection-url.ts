/**
 * Removes credentials and query from a connection string, so that it can be logged. Everything before the last `@` is
 * removed, because a password may contain an unencoded `@`, `/` or `?`. The query is removed because it may contain a
 * password; an `@` in it removes the host too, but never leaves a secret.
 */
export function removeCredentials(url: string): string {
  return url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');
}
