/**
 * A connection string that may be shown: scheme, hosts and path. What stands before the last `@` goes, because a password
 * may hold `@`, `/` and `?` where they should have been encoded, and so does the query, which may name a password too. An
 * `@` in the query takes more away than it had to; nothing that is secret stays.
 */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');
}
