// The ingest of the service as a team would write it in a day, of the same libraries: no log
// batches, no encryption, no pipeline, three patterns for personal data. `PEER_ROLE` is `web`,
// which checks entries and waits for a job, or `worker`, which stores them and counts them by hour.
import { createHash } from 'node:crypto';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Redis } from 'ioredis';
import Joi from 'joi';
import Koa from 'koa';
import mongoose from 'mongoose';

interface Entry {
  message: string;
  level?: string;
  source?: string;
  timestamp?: string;
}

interface IngestJob {
  scenarioId: string;
  entries: Entry[];
}

const { PEER_ROLE, PORT, REDIS_URL = '', MONGODB_URL = '' } = process.env;
const queueName = 'peer';
const connect = () => new Redis(REDIS_URL, { maxRetriesPerRequest: null });

const entrySchema = Joi.object({
  message: Joi.string().max(262_144).required(),
  level: Joi.string(),
  source: Joi.string(),
  timestamp: Joi.string().isoDate(),
});
const bodySchema = Joi.array().items(entrySchema).min(1).max(10_000);

async function startWeb(): Promise<void> {
  const queue = new Queue<IngestJob>(queueName, {
    connection: connect(),
    defaultJobOptions: { attempts: 3, removeOnComplete: 1000, removeOnFail: 1000 },
  });
  const events = new QueueEvents(queueName, { connection: connect() });
  events.setMaxListeners(0);
  await events.waitUntilReady();
  const app = new Koa();
  app.use(async (context) => {
    const pieces: Buffer[] = [];
    for await (const piece of context.req) pieces.push(piece as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
    const { error, value } = bodySchema.validate(Array.isArray(body) ? body : [body]);
    if (error) context.throw(400, error.message);
    const job = await queue.add('ingest', { scenarioId: context.get('X-Scenario-ID'), entries: value as Entry[] });
    context.body = { results: await job.waitUntilFinished(events, 60_000) };
  });
  app.listen(Number(PORT), '127.0.0.1');
}

const logSchema = new mongoose.Schema({
  scenarioId: { type: String, index: true },
  hash: String,
  level: String,
  source: String,
  at: Date,
  bytes: Number,
  tokens: Number,
  personalData: [String],
});
const hourSchema = new mongoose.Schema({ scenarioId: String, hour: Date, ...counters(() => Number) });
hourSchema.index({ scenarioId: 1, hour: 1 }, { unique: true });

function counters<T>(make: () => T): Record<'logs' | 'bytes' | 'tokens' | 'withPersonalData', T> {
  return { logs: make(), bytes: make(), tokens: make(), withPersonalData: make() };
}

const patterns: Readonly<Record<string, RegExp>> = {
  email: /[\w.+-]+@[\w-]+\.[\w.-]+/,
  national_id: /\b\d{3}-\d{2}-\d{4}\b/,
  card: /\b(?:\d[ -]?){13,19}\b/,
};

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

function readEntry(scenarioId: string, { message, level, source, timestamp }: Entry) {
  const personalData = Object.keys(patterns).filter((kind) => {
    const found = patterns[kind]?.exec(message);
    return found && (kind !== 'card' || passesLuhn(found[0].replaceAll(/\D/g, '')));
  });
  return {
    scenarioId,
    hash: createHash('sha256').update(message).digest('hex'),
    level,
    source,
    at: timestamp === undefined ? new Date() : new Date(timestamp),
    bytes: Buffer.byteLength(message),
    tokens: countTokens(message),
    personalData,
  };
}

async function startWorker(): Promise<void> {
  await mongoose.connect(MONGODB_URL, { dbName: 'peer' });
  const Log = mongoose.model('Log', logSchema);
  const Hour = mongoose.model('Hour', hourSchema);
  await Promise.all([Log.init(), Hour.init()]);
  const process = async ({ data: { scenarioId, entries } }: { data: IngestJob }) => {
    const logs = entries.map((entry) => readEntry(scenarioId, entry));
    const hours = new Map<number, ReturnType<typeof counters<number>>>();
    for (const { at, bytes, tokens, personalData } of logs) {
      const hour = Math.floor(at.getTime() / 3_600_000) * 3_600_000;
      const sum = hours.get(hour) ?? counters(() => 0);
      hours.set(hour, sum);
      sum.logs += 1;
      sum.bytes += bytes;
      sum.tokens += tokens;
      sum.withPersonalData += personalData.length > 0 ? 1 : 0;
    }
    await Log.insertMany(logs, { ordered: false });
    await Hour.bulkWrite(
      [...hours].map(([hour, sum]) => ({
        updateOne: { filter: { scenarioId, hour: new Date(hour) }, update: { $inc: sum }, upsert: true },
      })),
    );
    return logs.map(({ hash, bytes, tokens, personalData }) => ({ hash, bytes, tokens, personalData }));
  };
  const worker = new Worker<IngestJob>(queueName, process, { connection: connect(), concurrency: 8 });
  worker.on('error', (error) => console.error(error.message));
}

await (PEER_ROLE === 'web' ? startWeb() : startWorker());
