// The environment variables with their defaults, bounds and descriptions. One file, because it is a
// table: the configuration and its documentation are made from it.
import Joi from 'joi';
import { allQueues, type QueueName } from '../all-queues.ts';
import { findMongoUrlError, findRedisUrlError, redisSchemes } from '../connections/connection-urls.ts';
import { second } from '../durations.ts';
import { COUNTRIES } from '../pii/national-ids.ts';
import type { PiiType } from '../pii/pii-kind.ts';

/** Which routes require credentials: those of the interface's reference, or nearly all. */
export type AuthMode = 'documented' | 'strict';

/** Whose scenarios and notebooks members see and change: those of all accounts, or their own. */
export type DataAccess = 'team' | 'own';

/** Documentation of a variable beyond its rules, set by `meta`. */
export interface VariableMeta {
  readonly defaultText?: string;
  readonly allowedText?: string;
  /** The allowed values of a comma-separated list. */
  readonly listOf?: readonly string[];
}

const piiKinds = ['email', 'national_id', 'payment_card'] as const satisfies readonly PiiType[];
const piiCountries = COUNTRIES.map(({ code }) => code);
const queueNames = Object.keys(allQueues) as QueueName[];

/**
 * Parts are separated by `/`. Jupyter hides parts that begin with a dot, and writes none into them.
 */
const folderPath = /^(?![\s.])[^\p{Cc}\\/]+(?:\/(?![\s.])[^\p{Cc}\\/]+)*$/u;

export const minProductionPassword = 16;

/** Secrets in `.env.example`. They are public, so production refuses them. */
export const exampleSecrets = {
  SERVICE_SECRET: '0'.repeat(64),
  DASHBOARD_PASSWORD: 'change-me',
  TOKEN_SECRET: 'change-me-'.repeat(4),
};

const integer = (min: number) => Joi.number().integer().min(min);
const url = (...scheme: string[]) => Joi.string().uri({ scheme });
const oneOf = <Value extends string>(...values: readonly Value[]) => Joi.string<Value>().valid(...values);

const listOf = <Value extends string, List = Value[]>(values: readonly Value[]): Joi.StringSchema<List> => {
  const item = oneOf(...values);
  return Joi.string<List>()
    .custom((text: string, helpers) => {
      const items = text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      if (items.length === 0) return helpers.message({ custom: '{{#label}} must contain at least one value' });
      for (const part of items) {
        const { error } = item.validate(part);
        if (error) return helpers.message({ custom: `{{#label}} contains ${JSON.stringify(part)}: ${error.message}` });
      }
      return items;
    })
    .meta({ listOf: values } satisfies VariableMeta);
};

const hex256 = <Value = string>() =>
  Joi.string<Value>().hex().length(64).messages({
    'string.hex': '{{#label}} must be 64 hexadecimal digits (32 bytes); `openssl rand -hex 32` generates one',
    'string.length': '{{#label}} must be 64 hexadecimal digits (32 bytes); `openssl rand -hex 32` generates one',
  });

const originList = Joi.string<string[] | undefined>().custom((text: string, helpers) => {
  const origins = text.split(',').map((part) => part.trim());
  const invalid = origins.find((origin) => !URL.canParse(origin) || !isHttpOrigin(origin));
  if (invalid === undefined) return origins;
  const shown = JSON.stringify(invalid);
  return helpers.message({
    custom: `{{#label}} contains ${shown}: each must be an origin such as https://app.example.com`,
  });
});

const isHttpOrigin = (text: string) => /^https?:/.test(text) && new URL(text).origin === text;

/** Joi accepts no URL with several hosts. */
const redisUrl = Joi.string().custom((value: string, helpers) => {
  const error = findRedisUrlError(value);
  return error === undefined ? value : helpers.message({ custom: '{{#label}} {{#error}}' }, { error });
});

/** The driver parses it, because Joi accepts no URL with several hosts. */
const mongodbUrl = Joi.string().custom((value: string, helpers) => {
  const error = findMongoUrlError(value);
  return error === undefined
    ? value
    : helpers.message({ custom: '{{#label}} is not a MongoDB connection string: {{#error}}' }, { error });
});

const perMinute = (limit: number) => integer(1).default(limit);

/** Variables under the titles of docs/configuration.md and `.env.example`, in this order. */
export const variableGroups = {
  Service: {
    NODE_ENV: oneOf('development', 'test', 'production')
      .default('production')
      .example('development')
      .description(
        'Kind of environment. `production` refuses secrets that can be guessed, such as those of `.env.example`. `npm start` sets `development`.',
      ),
    HOST: Joi.string().default('0.0.0.0').description('Address that `web` listens on.'),
    PORT: Joi.number().port().default(3000).description('Port that `web` listens on.'),
    TRUST_PROXY: Joi.alternatives(integer(0).max(10), Joi.boolean())
      .default(0)
      .messages({
        'alternatives.match': '{{#label}} must be the number of proxies in front of the service, or true or false',
      })
      .description(
        "Number of proxies in front of `web` that add the caller's address to `X-Forwarded-For` (`true` means 1, `false` means 0). With 0, the header is ignored.",
      ),
    CORS_ORIGINS: originList
      .meta({ allowedText: 'comma-separated origins' } satisfies VariableMeta)
      .description(
        'Origins whose web pages can call the service, such as `https://app.example.com`. Browsers send these calls without cookies and without the login of `/admin/queues`.',
      ),
    LOG_LEVEL: oneOf('error', 'warn', 'info', 'debug')
      .default('info')
      .description('Least severe level of the log lines that are written.'),
    SHUTDOWN_GRACE_MS: integer(0)
      .default(10 * second)
      .description('Time for a stopped process to finish work in progress, in milliseconds.'),
  },

  Storage: {
    MONGODB_URL: mongodbUrl
      .required()
      .example('mongodb://127.0.0.1:27017/meterbook')
      .meta({
        allowedText: '`mongodb://` with one or several hosts, or `mongodb+srv://`',
      } satisfies VariableMeta)
      .description(
        "MongoDB 7 or later, or a server that speaks its protocol, with the database's name in the path. The service ignores options for write concern, read concern, read preference and time limits.",
      ),
    MONGODB_TIMEOUT_MS: integer(2500)
      .default(5 * second)
      .description(
        'Time in milliseconds within which a request gets its response, and a job an operation of MongoDB. Requests that wait for workers, send log entries or price months have longer, but a database that does not respond ends them as soon.',
      ),
    MIGRATE_AT_START: Joi.boolean()
      .default((environment) => environment.NODE_ENV !== 'production')
      .meta({ defaultText: '`false` in production, otherwise `true`' } satisfies VariableMeta)
      .example(true)
      .description(
        'Whether each process creates missing indexes when it starts. With `false`, `npm run migrate` does it before a release starts; until then, `/health/ready` reports missing ones, and workers take no jobs.',
      ),
    REDIS_URL: redisUrl
      .required()
      .meta({ allowedText: redisSchemes.replaceAll(/\w\S*:\/\//g, '`$&`') } satisfies VariableMeta)
      .example('redis://127.0.0.1:6379')
      .description(
        'Redis 7 or later, with `maxmemory-policy noeviction` and an append-only file. `rediss://` uses TLS; `redis+sentinel://host:port,host:port/name` uses the master that these sentinels name.',
      ),
    REDIS_PREFIX: Joi.string()
      .pattern(/^[\w-]+$/)
      .default('meterbook')
      .meta({ allowedText: 'letters, digits, `_` and `-`' } satisfies VariableMeta)
      .description('Prefix of every key and channel in Redis; a colon follows it.'),
  },

  Secrets: {
    SERVICE_SECRET: hex256()
      .required()
      .example(exampleSecrets.SERVICE_SECRET)
      .description(
        'Secret from which keys are derived. They encrypt log entries on their way from web to worker, and stored responses. `openssl rand -hex 32` generates one.',
      ),
    SERVICE_SECRET_PREVIOUS: hex256<string | undefined>().description(
      'A second secret that is accepted while `SERVICE_SECRET` is replaced: see [Rotating secrets](deploying.md#rotating-secrets).',
    ),

    DASHBOARD_PASSWORD: Joi.string()
      .required()
      .example(exampleSecrets.DASHBOARD_PASSWORD)
      .description(
        `Password of the user \`admin\` of the queue dashboard at \`/admin/queues\`. In production, it must have at least ${minProductionPassword} characters.`,
      ),

    METRICS_TOKEN: Joi.string<string | undefined>()
      .min(16)
      .description(
        'Bearer token that `/metrics` requires. Without it, `/metrics` is open in development, and unavailable in production and with `AUTH_MODE=strict`.',
      ),
    TOKEN_SECRET: Joi.string()
      .min(32)
      .required()
      .example(exampleSecrets.TOKEN_SECRET)
      .description('Secret that signs access and refresh tokens. `openssl rand -hex 32` generates a secret.'),
  },

  Accounts: {
    REGISTRATION: oneOf('open', 'closed')
      .default((environment) => (environment.NODE_ENV === 'production' ? 'closed' : 'open'))
      .meta({ defaultText: '`closed` in production, otherwise `open`' } satisfies VariableMeta)
      .example('open')
      .description(
        'Whether anybody can register (`open`) or not (`closed`). Outside production, whoever registers while there is no admin always can, and becomes the admin. `npm start` creates the admin itself; in production, `npm run create-admin` does.',
      ),
    AUTH_MODE: oneOf<AuthMode>('documented', 'strict')
      .replace(/^open$/, 'documented')
      .default((environment) => (environment.NODE_ENV === 'production' ? 'strict' : 'documented'))
      .meta({ defaultText: '`strict` in production, otherwise `documented`' } satisfies VariableMeta)
      .example('documented')
      .description(
        "Routes that require credentials: as in the interface's reference (`documented`, or its alias `open`), or all routes except health, docs, register, login, refresh and password reset (`strict`).",
      ),
    ACCESS: oneOf<DataAccess>('team', 'own')
      .default('team')
      .description(
        'Whose scenarios and notebooks members see and change: those of all accounts (`team`), or only their own (`own`). With `own`, names are unique per owner. All processes need the same value.',
      ),
  },

  Limits: {
    RATE_LIMIT_FREE: perMinute(60).description(
      'Requests per minute of a caller of tier `free`. A caller is an account or, without credentials, a network address.',
    ),
    RATE_LIMIT_PREMIUM: perMinute(600).description('Requests per minute of a caller of tier `premium`.'),
    RATE_LIMIT_ENTERPRISE: perMinute(6000).description(
      'Requests per minute of a caller of tier `enterprise`, and of every caller to routes without another limit. Refused requests (4xx) to routes with a limit of a tier or of downloads count here.',
    ),

    RATE_LIMIT_NOTEBOOKS: perMinute(120).description('Notebook requests per minute of a caller.'),
    RATE_LIMIT_INGEST: perMinute(6000).description(
      'Requests with log entries per minute of a caller, however many entries they have.',
    ),
    RATE_LIMIT_INGEST_BYTES: perMinute(2_500_000_000).description(
      'Bytes per minute of the unpacked bodies with log entries of a caller. Each entry counts 200 bytes more. For example, 100,000 lines of 200 bytes a second count as 2,400,000,000. docs/performance.md has the cost of such a load.',
    ),
    RATE_LIMIT_DOWNLOADS: perMinute(10).description('Downloads of reports per minute of a caller.'),
    RATE_LIMIT_LOGIN: perMinute(10).description(
      'Failed logins per minute from an address, to accounts or to the dashboard, including wrong current passwords. For one account, ten times as many failed logins are allowed from all addresses together.',
    ),
    MAX_CONCURRENT_REQUESTS: integer(1)
      .default(32)
      .description(
        'Number of requests of a caller that can be in progress at the same time, per `web` process; open downloads do not count. Before its credentials are checked, a request counts for its network, which can have twice as many. Requests above either limit get 429.',
      ),
  },

  Paging: {
    PAGE_SIZE_MAX: integer(1).max(1000).default(100).description('Maximum number of items on a page of a list.'),
    PAGE_SIZE_DEFAULT: integer(1)
      .max(Joi.ref('PAGE_SIZE_MAX'))
      .messages({ 'number.max': '{{#label}} must be at most PAGE_SIZE_MAX' })
      .default((environment) => Math.min(20, environment.PAGE_SIZE_MAX))
      .meta({ defaultText: '`20`, or `PAGE_SIZE_MAX` if that is smaller' } satisfies VariableMeta)
      .example(20)
      .description('Number of items on a page if the request does not set it.'),
  },

  Ingest: {
    INGEST_MAX_BYTES: integer(1024)
      // A row of MongoDB has at most 16 MiB.
      .max(12 * 1024 * 1024)
      .default(5 * 1024 * 1024)
      .description('Maximum size of the unpacked body of `POST /ingest`, in bytes.'),
    INGEST_WAIT_MS: integer(0)
      .default(5 * second)
      .description('Time for which `POST /ingest` waits for a worker before it responds with 202, in milliseconds.'),
    INGEST_MAX_BACKLOG_BYTES: integer(4096)
      .default(4 * 1024 * 1024 * 1024)
      .description(
        'Bytes of the accepted log entries that no worker has processed yet, as MongoDB stores them (compressed and encrypted). A batch counts as at least 4 KiB. One caller can have half of it. Beyond it, `POST /ingest` responds with 503.',
      ),

    LOG_RETENTION_DAYS: integer(7)
      .max(36_500)
      .default(90)
      .description(
        'Days for which log entries are kept after they are counted. Metrics are kept without limit. Entries whose processing has failed are kept for seven days.',
      ),
  },

  Reports: {
    REPORT_RETENTION_DAYS: integer(1)
      .max(36_500)
      .default(30)
      .description('Days after which the file of a report is removed. The report then has the status `expired`.'),

    CHROMIUM_PATH: Joi.string<string | undefined>()
      .meta({
        defaultText: 'an installed Chromium or Google Chrome, else that of the npm packages',
      } satisfies VariableMeta)
      .description('Browser that prints PDF reports.'),
  },

  Notebooks: {
    NOTEBOOK_API_VARIANT: oneOf('0.1.0', '0.2.0')
      .default('0.1.0')
      .description(
        'Variant of the notebook interface. In `0.2.0`, notebooks require the same credentials as scenarios and have no rate limit; their lists have no `has_more`, and invalid list parameters get 422.',
      ),
    NOTEBOOK_BACKEND: oneOf('http', 'open-notebook', 'jupyter')
      .default('http')
      .description(
        'System that stores the notebooks: an implementation of docs/notebook-backend.md (`http`), Open Notebook or Jupyter Server.',
      ),
    NOTEBOOK_BACKEND_URL: url('http', 'https')
      .custom((value: string, helpers) =>
        new URL(value).username === ''
          ? value
          : helpers.message({
              custom: '{{#label}} must not contain a user or password; set NOTEBOOK_BACKEND_TOKEN instead',
            }),
      )
      .required()
      .example('http://127.0.0.1:8888')
      .description('Address of the notebook backend, without a user or password.'),
    NOTEBOOK_BACKEND_TOKEN: Joi.string<string | undefined>().description(
      'Credentials for the notebook backend: a bearer token (`http`), the password (`open-notebook`) or the token (`jupyter`). A Jupyter Server without a token refuses every change.',
    ),
    NOTEBOOK_BACKEND_FOLDER: Joi.string<string | undefined>()
      .max(200)
      .pattern(folderPath, 'a relative path such as `team/notes`, without hidden folders')
      .description(
        'Folder of new notebooks in Jupyter, relative to its root. Without it, the root is used. A missing folder is created.',
      ),
    NOTEBOOK_DEADLINE_MS: integer(1 * second)
      .default(10 * second)
      .description(
        'Total time for all attempts of a call to the notebook backend, in milliseconds. After it, the request gets 502.',
      ),
  },

  'Prices and personal data': {
    PRICE_FALLBACK: oneOf('us-east-1', 'off')
      .default('us-east-1')
      .description(
        'Region whose queue prices replace unknown prices of other regions; the cost is then marked `unverified`. With `off`, it is `missing`.',
      ),
    PII_KINDS: listOf(piiKinds)
      .default(() => [...piiKinds])
      .meta({ defaultText: 'all' } satisfies VariableMeta)
      .example(piiKinds.join(','))
      .description('Kinds of personal data that the scanner detects.'),
    PII_COUNTRIES: listOf<string, string[] | undefined>(piiCountries)
      .meta({ defaultText: 'all' } satisfies VariableMeta)
      .description('Countries whose national ids the scanner detects (ISO 3166-1 alpha-2).'),
  },

  Workers: {
    WORKER_QUEUES: listOf(queueNames)
      .default(() => [...queueNames])
      .meta({ defaultText: 'all' } satisfies VariableMeta)
      .example(queueNames.join(','))
      .description('Queues that a worker process serves.'),
    INGEST_CONCURRENCY: integer(1)
      .max(64)
      .default(4)
      .description('Number of batches of log entries that a worker process processes concurrently.'),
  },
};

type Group = (typeof variableGroups)[keyof typeof variableGroups];
type Intersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never;
type Schemas = Intersection<Group>;

export type Variables = {
  [Name in keyof Schemas]: Schemas[Name] extends Joi.AnySchema<infer Value> ? Value : never;
};

const schemas = Object.assign({}, ...Object.values(variableGroups)) as Joi.PartialSchemaMap<Variables>;

export const environmentSchema = Joi.object<Variables>(schemas);

/** Names of all variables, in the order of their groups. */
export const variableNames = Object.keys(schemas);
