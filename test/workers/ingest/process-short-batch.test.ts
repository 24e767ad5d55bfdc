import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readConfig } from '../../../shared/config/config.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import { decrypt, encrypt } from '../../../shared/crypto/encryption.ts';
import { type AcceptedBatch, encryptBatch, shortBytes } from '../../../shared/ingest/batch-text.ts';
import { hashBytes } from '../../../shared/ingest/log-batch.model.ts';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import { createShortBatchProcessor } from '../../../workers/ingest/batch-threads.ts';
import { createBatchTools, processBatch } from '../../../workers/ingest/process-batch.ts';
import { createTestEnvironment } from '../../support/test-service.ts';

describe('the processing of short batches', () => {
  const { keys, pii } = readConfig(createTestEnvironment());
  const previousKey = randomBytes(32);
  const entriesKey = keys.entries;
  const tokenRanks = readTokenRanks();
  const processShort = createShortBatchProcessor({ entryKeys: [entriesKey, previousKey], pii, tokenRanks });
  const batchId = randomUUID();
  const terms = {
    assumptions: { inference: { output_tokens_per_entry: 7 } },
    tokenMultipliers: loadPriceBook().tokenMultipliers,
    callLimits: loadPriceBook().callLimits,
  };
  const receivedAt = 1_790_000_000_000;
  const batchOf = (...messages: string[]) => ({
    receivedAt,
    entries: messages.map((message, index) => ({ index, message, timestamp: receivedAt + index, timed: true })),
  });
  const textOf = (...messages: string[]) => JSON.stringify(batchOf(...messages));
  const short = async (batch: AcceptedBatch) =>
    processShort({ encrypted: await encryptBatch(entriesKey, batch, batchId), batchId, ...terms });

  it('has the result of a thread', async () => {
    const tools = createBatchTools({ pii, tokenRanks });
    for (const length of [1500, 20_000]) {
      const batch = batchOf('mail from jane@example.com', 'card 4111 1111 1111 1111', 'größer '.repeat(length / 8));
      expect(await short(batch)).to.deep.equal(processBatch(batch, terms, tools));
    }
  });

  it('leaves to a thread what is longer once it is unpacked', async () => {
    const frame = decrypt(entriesKey, await encryptBatch(entriesKey, batchOf(''), batchId), batchId).length;
    expect(await short(batchOf('x'.repeat(shortBytes - frame)))).to.have.nested.property(
      'packed.hashes.length',
      hashBytes,
    );
    const isShort = async (batch: AcceptedBatch) => (await short(batch)) !== null;
    expect(await isShort(batchOf('x'.repeat(shortBytes + 1 - frame)))).to.equal(false);
    expect(await isShort(batchOf('ö'.repeat(shortBytes / 2)))).to.equal(false);
    expect(await isShort(batchOf('x'.repeat(1_000_000)))).to.equal(false);
  });

  it('opens a batch that the previous key has encrypted', async () => {
    const encrypted = await encryptBatch(previousKey, batchOf('x'), batchId);
    expect(await processShort({ encrypted, batchId, ...terms })).to.deep.equal(await short(batchOf('x')));
  });

  it('refuses a batch of another id, or of another key', async () => {
    const others = [encrypt(entriesKey, textOf('x'), randomUUID()), encrypt(randomBytes(32), textOf('x'), batchId)];
    for (const encrypted of others) {
      const error = await processShort({ encrypted, batchId, ...terms }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(Error);
    }
  });
});
