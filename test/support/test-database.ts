import { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';

/**
 * Replaces the database of a connection string. MongoDB authenticates a user without `authSource`
 * in the database of the string, so the original database (or `admin`) becomes the `authSource`.
 */
export function withDatabase(url: string, database: string): string {
  const parsed = new ConnectionString(url);
  const options = parsed.typedSearchParams<{ authSource: string }>();
  const old = parsed.pathname.slice(1);
  if (parsed.username !== '' && !options.has('authSource')) options.set('authSource', old || 'admin');
  parsed.pathname = `/${database}`;
  return parsed.toString();
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
