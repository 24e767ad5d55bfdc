import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readConfig } from '../../../shared/config/config.ts';
import { seal } from '../../../shared/services/sealed.ts';
import { openSpooledBatch } from '../../../shared/services/spooled-batch.ts';
import { createBatchTools, processBatch } from '../../../workers/ingest/process-batch.ts';
import { createShortBatchProcessor } from '../../../workers/ingest/process-short-batch.ts';
import { readTokenRanks } from '../../../workers/ingest/token-ranks.ts';
import { createTestEnvironment } from '../../support/test-service.ts';

describe('the processing of short batches', () => {
  const { spoolKey, pii } = readConfig(createTestEnvironment());
  const tokenRanks = readTokenRanks();
  const processShort = createShortBatchProcessor({ spoolKey, pii, tokenRanks });
  const batchId = randomUUID();
  const assumptions = { inference: { output_tokens_per_entry: 7 } };
  const textOf = (...messages: string[]) => {
    const entries = messages.map((message, index) => ({ index, message, timestamp: 1_790_000_000_000 + index }));
    return JSON.stringify({ receivedAt: 1_790_000_000_000, entries });
  };
  const short = (content: string | Buffer) =>
    processShort({ sealed: seal(spoolKey, content, batchId), batchId, assumptions });

  it('has the result of a thread', () => {
    const text = textOf('mail from jane@example.com', 'card 4111 1111 1111 1111', 'x'.repeat(1500));
    const batch = openSpooledBatch(spoolKey, seal(spoolKey, text, batchId), batchId);
    const tools = createBatchTools({ pii, tokenRanks });
    expect(short(text)).to.deep.equal(processBatch(batch, assumptions, tools));
  });

  it('leaves to a thread what is longer, and what can be longer once it is unpacked', () => {
    const frame = textOf('').length;
    expect(short(textOf('x'.repeat(2048 - frame)))).to.have.nested.property('columns.sizeBytes.length', 1);
    expect(short(textOf('x'.repeat(2049 - frame)))).to.equal(null);
    expect(short(gzipSync(textOf('x')))).to.equal(null);
    expect(short(gzipSync(textOf('x'.repeat(1_000_000))))).to.equal(null);
  });

  it('refuses a batch of another id, or of another key', () => {
    const sealed = seal(spoolKey, textOf('x'), randomUUID());
    expect(() => processShort({ sealed, batchId, assumptions })).to.throw();
    expect(() =>
      processShort({ sealed: seal(randomBytes(32), textOf('x'), batchId), batchId, assumptions }),
    ).to.throw();
  });
});
