import { hash, randomUUID } from 'node:crypto';
import { openMongo } from '../../shared/connections/mongo.ts';
import { second } from '../../shared/durations.ts';

/** Baseline (b): one process parses, hashes and inserts the same bodies, without HTTP, queue or metering. */
export async function directInserts(options: {
  mongodbUrl: string;
  bodies: readonly Buffer[];
  concurrency: number;
  requests: number;
}): Promise<{ seconds: number }> {
  const mongo = await openMongo(options.mongodbUrl, { timeoutMs: 5 * second, role: 'worker' });
  const collection = mongo.collection<{ _id: string; entries: object[] }>('bench_direct');
  let next = 0;
  const insert = async () => {
    while (next < options.requests) {
      const body = options.bodies[next % options.bodies.length] as Buffer;
      next += 1;
      const sent = JSON.parse(body.toString('utf8')) as { message: string }[];
      const entries = sent.map(({ message }) => ({
        hash: hash('sha256', message),
        sizeBytes: Buffer.byteLength(message),
      }));
      await collection.insertOne({ _id: randomUUID(), entries });
    }
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: options.concurrency }, insert));
    return { seconds: (performance.now() - started) / 1000 };
  } finally {
    await collection.drop();
    await mongo.close();
  }
}
