import type { RedisOptions } from 'ioredis';
import { ConnectionString } from 'mongodb-connection-string-url';
import mongoose from 'mongoose';

/**
 * A Redis that Sentinel watches: `redis+sentinel://user:password@host:port,host:port/name/db`, with
 * `rediss+sentinel` for TLS. The credentials are those of the Redis; those of the sentinels are
 * in the query.
 */
const sentinelUrl =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)\/(?<name>[^/?]+)(?:\/(?<db>\d+))?(?:\?(?<query>.*))?$/;
const sentinelOptions = { sentinel_username: 'sentinelUsername', sentinel_password: 'sentinelPassword' };
const hostAndPort = /^(?:\[(?<ip>[\da-f:.]+)\]|(?<name>[^\s:[\]]+)):(?<port>\d{1,5})$/i;
/** The form of a Cluster in earlier versions, and that of other programs. */
const severalServers = /^rediss?(?:\+cluster:|:\/\/(?:[^/]*@)?[^@/?]*,[^@]*$)/;

export const redisSchemes = 'redis://, rediss://, redis+sentinel:// or rediss+sentinel://';

function readHosts(hosts: string): { host: string; port: number }[] {
  return hosts.split(',').map((host) => {
    const { ip, name = '', port } = hostAndPort.exec(host)?.groups ?? {};
    return { host: ip ?? name, port: Number(port) };
  });
}

/** @returns the end of a sentence after the variable's name; undefined if the URL is valid. */
export function findRedisUrlError(url: string): string | undefined {
  if (severalServers.test(url)) {
    return 'must be one server or Sentinel (redis+sentinel://host:port,host:port/name), because Redis Cluster is not supported any more';
  }
  if (!/^rediss?\+sentinel:/.test(url)) {
    const isValid = /^rediss?:\/\/./.test(url) && URL.canParse(url);
    return isValid ? undefined : `must begin with ${redisSchemes}`;
  }
  const { hosts, query } = sentinelUrl.exec(url)?.groups ?? {};
  if (hosts === undefined) return 'must have the form redis+sentinel://host:port,host:port/name';
  if (!readHosts(hosts).every(({ port }) => port <= 65_535)) return 'must have a host and a port for each sentinel';
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !Object.hasOwn(sentinelOptions, name));
  if (unknown === undefined) return undefined;
  return `has the unknown option ${unknown}; it can have ${Object.keys(sentinelOptions).join(', ')}`;
}

export type RedisClientOptions = Omit<RedisOptions, 'replyMapping'>;

/** The target of a connection. @param url one without error. */
export function readRedisUrl(url: string): { url: string } | { options: RedisClientOptions } {
  const parts = sentinelUrl.exec(url)?.groups;
  if (!parts) return { url };
  const { scheme, username, password, hosts = '', name = '', db, query } = parts;
  const credentials = new URLSearchParams(query);
  return {
    options: {
      sentinels: readHosts(hosts),
      name: decodeURIComponent(name),
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...Object.fromEntries(
        Object.entries(sentinelOptions)
          .filter(([parameter]) => credentials.has(parameter))
          .map(([parameter, option]) => [option, credentials.get(parameter)]),
      ),
      ...(db && { db: Number(db) }),
      ...(scheme === 'rediss' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    },
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
 * would merge with those of the code, in every spelling; shared/connections/mongo.ts has their
 * values. `timeoutMS` has no effect in version 7.8 of the driver, which warns about it.
 */
const ignoredOption =
  /^(?:w|j|journal|fsync|wtimeout(?:MS)?|readPreference(?:Tags)?|maxStalenessSeconds|readConcernLevel|timeoutMS)$/i;

/** A connection string without these options. @throws an error of the driver. */
export function withoutIgnoredOptions(url: string): string {
  const parsed = new ConnectionString(url);
  const names = [...parsed.searchParams.keys()].filter((name) => ignoredOption.test(name));
  for (const name of names) parsed.searchParams.delete(name);
  return parsed.toString();
}

/** The error of a connection string, by the driver's own parser; undefined if it is valid. */
export function findMongoUrlError(url: string): string | undefined {
  try {
    void new mongoose.mongo.MongoClient(withoutIgnoredOptions(url));
    return undefined;
  } catch (error) {
    return isSafeToShow(url) ? (error as Error).message : 'user and password must be percent-encoded';
  }
}

/** Messages quote hosts, which are parts of the password if it is split wrongly. */
function isSafeToShow(url: string): boolean {
  const [userinfo = '', ...rest] = url.replace(/^[^/]*\/\//, '').split('@');
  return rest.length === 0 || (rest.length === 1 && !/[/?#]/.test(userinfo) && userinfo.split(':').length <= 2);
}
