import type { RedisOptions } from 'ioredis';

/**
 * A Redis that Sentinel watches: `redis+sentinel://user:password@host:port,host:port/name/db`, with
 * `rediss+sentinel` for TLS. The credentials are those of the Redis; those of the sentinels are
 * `sentinel_username` and `sentinel_password` of the query.
 */
const sentinelUrl = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^/?]+)(?:\/(\d+))?(?:\?(.*))?$/;
const sentinelHost = /^(\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/i;
const isSentinel = (url: string) => /^rediss?\+sentinel:/.test(url);
const queryNames = ['sentinel_username', 'sentinel_password'];

/** @returns the end of a sentence after the variable's name; undefined if the URL is valid. */
export function findRedisUrlError(url: string): string | undefined {
  if (/^rediss?\+cluster:/.test(url)) return 'is a Redis Cluster, which is not supported: use one Redis, or Sentinel';
  if (!isSentinel(url)) {
    const isValid = /^rediss?:\/\/./.test(url) && URL.canParse(url);
    return isValid ? undefined : 'must begin with redis://, rediss://, redis+sentinel:// or rediss+sentinel://';
  }
  const [, , , hosts = '', , , query = ''] = sentinelUrl.exec(url) ?? [];
  if (hosts === '') return 'must have the form redis+sentinel://host:port,host:port/name';
  const isHost = (host: string) => Number(sentinelHost.exec(host)?.[2]) <= 65_535;
  if (!hosts.split(',').every(isHost)) return 'must have a host and a port for each sentinel';
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !queryNames.includes(name));
  return unknown === undefined ? undefined : `has the unknown option ${unknown}; it can have ${queryNames.join(', ')}`;
}

/** The target of a connection of ioredis. @param url one without error. */
export function readRedisUrl(url: string): { url: string } | { options: Omit<RedisOptions, 'replyMapping'> } {
  if (!isSentinel(url)) return { url };
  const [, scheme, credentials, hosts = '', name = '', db, query = ''] = sentinelUrl.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const [username, password] = splitCredentials(credentials);
  return {
    options: {
      sentinels: hosts.split(',').map((host) => {
        const [, address = '', port] = sentinelHost.exec(host) ?? [];
        return { host: address.replace(/^\[|\]$/g, ''), port: Number(port) };
      }),
      name: decodeURIComponent(name),
      ...(username ? { username } : {}),
      ...(password ? { password } : {}),
      ...(parameters.has('sentinel_username') ? { sentinelUsername: parameters.get('sentinel_username') ?? '' } : {}),
      ...(parameters.has('sentinel_password') ? { sentinelPassword: parameters.get('sentinel_password') ?? '' } : {}),
      ...(db ? { db: Number(db) } : {}),
      ...(scheme === 'rediss' ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    },
  };
}

function splitCredentials(text = ''): [string, string] {
  const at = text.indexOf(':');
  return at < 0
    ? [decodeURIComponent(text), '']
    : [decodeURIComponent(text.slice(0, at)), decodeURIComponent(text.slice(at + 1))];
}
