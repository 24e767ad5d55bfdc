// Measures the time of a find by an indexed field among 200,000 documents, with the official
// driver.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocumentStore } from '@meterbook/document-store';
import { MongoClient } from 'mongodb';

interface IndexedFindFigures {
  documents: number;
  /** Milliseconds per find by the indexed field. */
  medianMs: number;
  p99Ms: number;
  /** The same find by a field without index. */
  unindexedMedianMs: number;
}

const documents = 200_000;
const batchSize = 5_000;
const finds = 500;
const unindexedFinds = 5;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Starts a store in a temporary folder, fills it, measures, and removes the folder. It takes some
 * seconds.
 */
export async function benchIndexedFind(): Promise<IndexedFindFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'document-store-bench-'));
  const store = await startDocumentStore({ directory });
  const client = new MongoClient(store.url);
  try {
    const collection = client
      .db('bench')
      .collection<{ _id: number; key: string; twin: string; text: string }>('entries');
    await collection.createIndex({ key: 1 });
    for (let start = 0; start < documents; start += batchSize) {
      await collection.insertMany(
        Array.from({ length: batchSize }, (_, offset) => {
          const key = `key-${((start + offset) * 7919) % documents}`;
          return { _id: start + offset, key, twin: key, text: 'x'.repeat(120) };
        }),
      );
    }
    const measure = async (field: 'key' | 'twin', times: number): Promise<number[]> => {
      const taken: number[] = [];
      for (let round = 0; round < times; round += 1) {
        const wanted = `key-${(round * 104_729) % documents}`;
        const begin = performance.now();
        const found = await collection.find({ [field]: wanted }).toArray();
        taken.push(performance.now() - begin);
        if (found.length !== 1) throw new Error(`expected one document for ${wanted}, found ${found.length}`);
      }
      return taken.sort((left, right) => left - right);
    };
    await measure('key', 50);
    const indexed = await measure('key', finds);
    const unindexed = await measure('twin', unindexedFinds);
    return {
      documents,
      medianMs: quantile(indexed, 0.5),
      p99Ms: quantile(indexed, 0.99),
      unindexedMedianMs: quantile(unindexed, 0.5),
    };
  } finally {
    await client.close();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
}
