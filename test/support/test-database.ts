import { MongoClient } from 'mongodb';

/**
 * Replaces the database of a connection string. MongoDB authenticates a user without `authSource` in the database of
 * the string, so the original database (or `admin`) becomes the `authSource`.
 */
export function withDatabase(url: string, database: string): string {
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (match === null) throw new Error('MONGODB_URL is not a MongoDB connection string.');
  const [, server = '', old, query = ''] = match;
  const options = new URLSearchParams(query);
  if (server.includes('@') && !options.has('authSource')) options.set('authSource', old || 'admin');
  const text = options.toString();
  return `${server}/${database}${text === '' ? '' : `?${text}`}`;
}

/** Drops the database that the connection string names. */
export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}

/** Drops every database whose name starts with `prefix`. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
