import { constants, deflateRawSync } from 'node:zlib';
import type { Tier } from '../accounts/api-key.model.ts';
import { allQueues, type QueueName } from '../all-queues.ts';
import { deriveServiceKeys } from '../crypto/encryption.ts';
import { second } from '../durations.ts';
import { environmentSchema, exampleSecrets, minProductionPassword, type Variables } from './config-schema.ts';

export type LimitName = Tier | 'default' | 'notebooks' | 'ingest' | 'downloads';

/** Settings without a variable: no installation needs another value. Tests set others. */
const fixedSettings = {
  /** Requests of one caller that can wait for a worker at the same time, per web process. */
  maxWaitingRequests: 20,
  /** For the bodies in progress of a web process: 25 of the largest ones. */
  maxBodyMemoryBytes: 128 * 1024 * 1024,
  /** Below the minute after which proxies end a request. */
  flushWaitMs: 30 * second,
  /** Threads of a worker process that process entries. More cores have more processes. */
  ingestThreads: 2,
};

export type { AuthMode, DataAccess } from './config-schema.ts';

export type Config = ReturnType<typeof readConfig>;

/** An invalid environment; the message is one sentence that names every invalid variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from an environment.
 * @throws ConfigError naming all invalid variables, and how to fix each.
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const value = validate(environment);
  return Object.freeze({
    environment: value.NODE_ENV,
    host: value.HOST,
    port: value.PORT,
    trustedProxies: Number(value.TRUST_PROXY),
    corsOrigins: value.CORS_ORIGINS ?? [],
    logLevel: value.LOG_LEVEL,
    shutdownGraceMs: value.SHUTDOWN_GRACE_MS,
    mongodbUrl: value.MONGODB_URL,
    mongodbTimeoutMs: value.MONGODB_TIMEOUT_MS,
    migratesAtStart: value.MIGRATE_AT_START,
    redisUrl: value.REDIS_URL,
    redisPrefix: value.REDIS_PREFIX,
    keys: deriveServiceKeys(Buffer.from(value.SERVICE_SECRET, 'hex')),
    ...(value.SERVICE_SECRET_PREVIOUS
      ? { previousKeys: deriveServiceKeys(Buffer.from(value.SERVICE_SECRET_PREVIOUS, 'hex')) }
      : {}),
    dashboardPassword: value.DASHBOARD_PASSWORD,
    ...(value.METRICS_TOKEN ? { metricsToken: value.METRICS_TOKEN } : {}),
    auth: {
      tokenSecret: value.TOKEN_SECRET,
      registration: value.REGISTRATION,
      mode: value.AUTH_MODE,
      access: value.ACCESS,
    },
    rateLimits: {
      default: value.RATE_LIMIT_ENTERPRISE,
      free: value.RATE_LIMIT_FREE,
      premium: value.RATE_LIMIT_PREMIUM,
      enterprise: value.RATE_LIMIT_ENTERPRISE,
      notebooks: value.RATE_LIMIT_NOTEBOOKS,
      ingest: value.RATE_LIMIT_INGEST,
      downloads: value.RATE_LIMIT_DOWNLOADS,
      login: value.RATE_LIMIT_LOGIN,
    } satisfies Record<LimitName | 'login', number>,
    pageSize: { default: value.PAGE_SIZE_DEFAULT, max: value.PAGE_SIZE_MAX },
    ingest: {
      maxBytes: value.INGEST_MAX_BYTES,
      waitMs: value.INGEST_WAIT_MS,
      maxBytesPerMinute: value.RATE_LIMIT_INGEST_BYTES,
      maxBacklogBytes: value.INGEST_MAX_BACKLOG_BYTES,
    },
    logRetentionDays: value.LOG_RETENTION_DAYS,
    reportRetentionDays: value.REPORT_RETENTION_DAYS,
    ...(value.CHROMIUM_PATH ? { chromiumPath: value.CHROMIUM_PATH } : {}),
    maxConcurrentRequests: value.MAX_CONCURRENT_REQUESTS,
    notebooks: {
      variant: value.NOTEBOOK_API_VARIANT,
      backend: value.NOTEBOOK_BACKEND,
      backendUrl: value.NOTEBOOK_BACKEND_URL,
      backendFolder: value.NOTEBOOK_BACKEND_FOLDER ?? '',
      ...(value.NOTEBOOK_BACKEND_TOKEN ? { backendToken: value.NOTEBOOK_BACKEND_TOKEN } : {}),
      deadlineMs: value.NOTEBOOK_DEADLINE_MS,
    },
    priceFallback: value.PRICE_FALLBACK,
    pii: { kinds: value.PII_KINDS, ...(value.PII_COUNTRIES ? { countries: value.PII_COUNTRIES } : {}) },
    workerQueues: value.WORKER_QUEUES,
    concurrency: {
      ...(Object.fromEntries(Object.values(allQueues).map(({ name, concurrency }) => [name, concurrency])) as Record<
        QueueName,
        number
      >),
      'ingest-entries': value.INGEST_CONCURRENCY,
    },
    ...fixedSettings,
  });
}

/** A message of Joi as the other errors of the service are written. */
const messageOf = (text: string) => text.replaceAll('"', '').replace(/must be one of \[(.*)\]$/, 'must be one of $1');

/** @returns the variables by their names, converted. @throws ConfigError */
function validate(environment: NodeJS.ProcessEnv): Variables {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { value, error } = environmentSchema.validate(variables, { abortEarly: false, stripUnknown: true });
  const messages = [
    ...findRemovedVariables(variables),
    ...(error?.details.map(({ message }) => messageOf(message)) ?? []),
  ];
  if (!error && value.NODE_ENV === 'production') {
    messages.push(...findWeakSecrets(value));
    if (value.DASHBOARD_PASSWORD.length < minProductionPassword) {
      messages.push(`DASHBOARD_PASSWORD must be at least ${minProductionPassword} characters long`);
    }
  }
  if (!value || messages.length > 0) throw new ConfigError(`Configuration: ${[...new Set(messages)].join('; ')}.`);
  return value;
}

/**
 * The least bytes of each secret after compression, which finds secrets that are short or repeat
 * themselves. Random ones have more: 60 of `openssl rand -hex 32`, 14 of `openssl rand -hex 8`.
 */
const minCompressedBytes = {
  SERVICE_SECRET: 24,
  SERVICE_SECRET_PREVIOUS: 24,
  TOKEN_SECRET: 24,
  DASHBOARD_PASSWORD: 13,
  METRICS_TOKEN: 13,
};

const normalize = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const publicPart = normalize(exampleSecrets.DASHBOARD_PASSWORD);

/** @returns a message for each secret that can be guessed. Secrets that are not set have none. */
function findWeakSecrets(variables: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(minCompressedBytes).flatMap(([name, minBytes]) => {
    const secret = variables[name];
    const weakness = typeof secret === 'string' ? weaknessOf(secret, minBytes) : undefined;
    return weakness === undefined ? [] : [`${name} ${weakness}; \`openssl rand -hex 32\` generates a secret`];
  });
}

function weaknessOf(secret: string, minBytes: number): string | undefined {
  const isExample = Object.values<string>(exampleSecrets).includes(secret);
  if (isExample || normalize(secret).includes(publicPart)) return 'has, or resembles, the value of .env.example';
  // Fixed codes show repetitions only, whatever the alphabet.
  const { length } = deflateRawSync(secret, { level: 9, strategy: constants.Z_FIXED });
  return length < minBytes ? 'is too easy to guess' : undefined;
}

const backlogBytes = 'INGEST_MAX_BACKLOG_BYTES limits the accepted entries that wait in MongoDB';
const filesInMongoDb = 'the files of reports are in MongoDB';
const pricesByCommand = '`npm run prices -- apply` stores new prices';

/**
 * Variables that the service had, and what took the place of each. A process that finds one does
 * not start: what it asks for would not be done. The variables of AWS are not among them, because
 * hosts set them for other programs.
 */
const removedVariables: Readonly<Record<string, string>> = {
  INGEST_MAX_BACKLOG: backlogBytes,
  INGEST_MAX_OVERFLOW_BYTES: backlogBytes,
  INGEST_QUEUES: 'all entries are in one queue',
  PRICE_REFRESH_CRON: pricesByCommand,
  PRICE_SOURCES: pricesByCommand,
  RATE_LIMIT_INGEST_ENTRIES:
    'RATE_LIMIT_INGEST_BYTES limits the entries of a caller, each of which counts 200 bytes and its own',
  REDIS_WAIT_REPLICAS: 'every accepted entry is in MongoDB, by a majority of its members',
  REPORT_STORE: filesInMongoDb,
  REPORT_STORE_PATH_STYLE: filesInMongoDb,
  SPOOL_KEY: 'set SERVICE_SECRET to a new secret (`openssl rand -hex 32`)',
};

function findRemovedVariables(variables: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(removedVariables).flatMap(([name, instead]) =>
    variables[name] === undefined ? [] : [`${name} is not used any more, so remove it: ${instead}`],
  );
}
