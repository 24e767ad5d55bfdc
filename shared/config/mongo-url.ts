import { ConnectionString } from 'mongodb-connection-string-url';
import mongoose from 'mongoose';

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
