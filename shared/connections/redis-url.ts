import type { RedisOptions } from 'ioredis';

/**
 * A Redis that Sentinel watches: `redis+sentinel://user:password@host:port,host:port/name/db`, with
 * `rediss+sentinel` for TLS. The credentials are those of the Redis; those of the sentinels are
 * `sentinel_username` and `sentinel_password` of the query.
 */
const sentinelUrl = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^/?]+)(?:\/(\d+))?(?:\?(.*))?$/;
const hostAndPort = /^(\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/i;
const isSentinel = (url: string) => /^rediss?\+sentinel:/.test(url);
/** The form of a Cluster in earlier versions, and that of other programs. */
const severalServers = /^rediss?(?:\+cluster:|:\/\/(?:[^/]*@)?[^@/?]*,[^@]*$)/;
const queryNames = ['sentinel_username', 'sentinel_password'];

export const redisSchemes = 'redis://, rediss://, redis+sentinel:// or rediss+sentinel://';

const isHost = (host: string) => Number(hostAndPort.exec(host)?.[2]) <= 65_535;

/** @returns the end of a sentence after the variable's name; undefined if the URL is valid. */
export function findRedisUrlError(url: string): string | undefined {
  if (severalServers.test(url)) {
    return 'must be one server or Sentinel (redis+sentinel://host:port,host:port/name), because Redis Cluster is not supported any more';
  }
  if (!isSentinel(url)) {
    const isValid = /^rediss?:\/\/./.test(url) && URL.canParse(url);
    return isValid ? undefined : `must begin with ${redisSchemes}`;
  }
  const [, , , hosts = '', , , query = ''] = sentinelUrl.exec(url) ?? [];
  if (hosts === '') return 'must have the form redis+sentinel://host:port,host:port/name';
  if (!hosts.split(',').every(isHost)) return 'must have a host and a port for each sentinel';
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !queryNames.includes(name));
  return unknown === undefined ? undefined : `has the unknown option ${unknown}; it can have ${queryNames.join(', ')}`;
}

type Options = Omit<RedisOptions, 'replyMapping'>;

/** The target of a connection. @param url one without error. */
export function readRedisUrl(url: string): { url: string } | { options: Options } {
  if (!isSentinel(url)) return { url };
  const [, scheme, credentials, hosts = '', name = '', db, query = ''] = sentinelUrl.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  return {
    options: {
      sentinels: readHosts(hosts),
      name: decodeURIComponent(name),
      ...readCredentials(credentials),
      ...(parameters.has('sentinel_username') ? { sentinelUsername: parameters.get('sentinel_username') ?? '' } : {}),
      ...(parameters.has('sentinel_password') ? { sentinelPassword: parameters.get('sentinel_password') ?? '' } : {}),
      ...(db ? { db: Number(db) } : {}),
      ...(scheme === 'rediss' ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    },
  };
}

function readHosts(hosts: string): { host: string; port: number }[] {
  return hosts.split(',').map((host) => {
    const [, address = '', port] = hostAndPort.exec(host) ?? [];
    return { host: address.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}

function readCredentials(text = ''): { username?: string; password?: string } {
  const at = text.indexOf(':');
  const [username, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  };
}
