import type { RedisOptions } from 'ioredis';

/**
 * A Redis that Sentinel watches: `redis+sentinel://user:password@host:port,host:port/name/db`, with
 * `rediss+sentinel` for TLS. The credentials are those of the Redis; those of the sentinels are
 * `sentinel_username` and `sentinel_password` of the query.
 */
const sentinelUrl = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^/?]+)(?:\/(\d+))?(?:\?(.*))?$/;
/**
 * Some nodes of a Redis Cluster, which name the others:
 * `redis+cluster://user:password@host:port,host:port`, with `rediss+cluster` for TLS. A Cluster has
 * no databases.
 */
const clusterUrl = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/?]+)$/;
const hostAndPort = /^(\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/i;
const isSentinel = (url: string) => /^rediss?\+sentinel:/.test(url);
export const isClusterUrl = (url: string) => /^rediss?\+cluster:/.test(url);
const queryNames = ['sentinel_username', 'sentinel_password'];

export const redisSchemes =
  'redis://, rediss://, redis+sentinel://, rediss+sentinel://, redis+cluster:// or rediss+cluster://';

const isHost = (host: string) => Number(hostAndPort.exec(host)?.[2]) <= 65_535;

/** @returns the end of a sentence after the variable's name; undefined if the URL is valid. */
export function findRedisUrlError(url: string): string | undefined {
  if (isClusterUrl(url)) {
    const [, , , nodes = ''] = clusterUrl.exec(url) ?? [];
    if (nodes === '') return 'must have the form redis+cluster://host:port,host:port';
    return nodes.split(',').every(isHost) ? undefined : 'must have a host and a port for each node';
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
interface Node {
  readonly host: string;
  readonly port: number;
}

/** @param url one without error. @returns the nodes of a Cluster, and the options of each. */
export function readClusterUrl(url: string): { nodes: Node[]; options: Options } {
  const [, scheme, credentials, hosts = ''] = clusterUrl.exec(url) ?? [];
  return { nodes: readHosts(hosts), options: { ...readCredentials(credentials), ...tlsOf(scheme) } };
}

/** The target of a connection to one server. @param url one without error. */
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
      ...tlsOf(scheme),
      ...(scheme === 'rediss' ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    },
  };
}

const tlsOf = (scheme: string | undefined) => (scheme === 'rediss' ? { tls: {} } : {});

function readHosts(hosts: string): Node[] {
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
