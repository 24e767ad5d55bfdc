import type { RedisOptions } from 'ioredis';
import { ConnectionString } from 'mongodb-connection-string-url';
import mongoose from 'mongoose';

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

export type RedisClientOptions = Omit<RedisOptions, 'replyMapping'>;

/** The target of a connection. @param url one without error. */
export function readRedisUrl(url: string): { url: string } | { options: RedisClientOptions } {
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

/**
 * Removes credentials and query from a connection string, so that the string can be logged.
 * Everything before the last `@` is removed, because a password can contain an unencoded `@`, `/`
 * or `?`. The query is removed because it can contain a password. If the query contains an `@`, the
 * host is removed too, but no secret remains.
 */
export function removeCredentials(url: string): string {
  return url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');
}

/**
 * Options that the service decides itself, whatever the connection string says, and that the driver
 * would merge with those of the code; shared/connections/mongo.ts has their values. `timeoutMS` has
 * no effect in version 7.8 of the driver, which warns about it.
 */
const ignoredOptions = [
  'w',
  'journal',
  'j',
  'fsync',
  'wtimeout',
  'wtimeoutMS',
  'readPreference',
  'readPreferenceTags',
  'maxStalenessSeconds',
  'readConcernLevel',
  'timeoutMS',
] as const;

/**
 * The connection string without the options that the service decides. @throws an error of the
 * driver if it is malformed.
 */
export function withoutIgnoredOptions(url: string): string {
  const parsed = new ConnectionString(url);
  const options = parsed.typedSearchParams<Record<string, string>>();
  for (const name of ignoredOptions) {
    // In every spelling: the driver does not compare case.
    while (options.has(name)) options.delete(name);
  }
  return parsed.toString();
}

/**
 * Finds the error of a MongoDB connection string by the driver's own parser; undefined for a valid
 * one.
 */
export function findMongoUrlError(url: string): string | undefined {
  try {
    void new mongoose.mongo.MongoClient(withoutIgnoredOptions(url));
    return undefined;
  } catch (error) {
    return isSafeToShow(url) ? (error as Error).message : 'user and password must be percent-encoded';
  }
}

/**
 * The driver's messages quote hosts and options. In a string that is split at the wrong place,
 * those are parts of the password.
 */
function isSafeToShow(url: string): boolean {
  const [userinfo = '', ...rest] = url.replace(/^[^/]*\/\//, '').split('@');
  return rest.length === 0 || (rest.length === 1 && !/[/?#]/.test(userinfo) && userinfo.split(':').length <= 2);
}
