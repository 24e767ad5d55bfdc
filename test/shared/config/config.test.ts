import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { allQueues } from '../../../shared/all-queues.ts';
import { ConfigError, readConfig } from '../../../shared/config/config.ts';
import { variableNames } from '../../../shared/config/config-schema.ts';

const complete = {
  MONGODB_URL: 'mongodb://127.0.0.1:27017/meterbook',
  REDIS_URL: 'redis://127.0.0.1:6379',
  SERVICE_SECRET: createHash('sha256').update('a key of tests').digest('hex'),
  DASHBOARD_PASSWORD: 'a long secret of tests',
  TOKEN_SECRET: 'a secret of tests, long enough to sign with',
  NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:8888',
};

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

function configErrorOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
}

/** Expects that variables are refused, each of them by its name. */
function expectRefused(variables: Record<string, string>): void {
  const message = configErrorOf({ ...complete, ...variables });
  for (const [name, value] of Object.entries(variables)) expect(message, value).to.contain(name);
}

describe('the configuration', () => {
  it('requires addresses and secrets only', () => {
    const config = readConfig(complete);
    expect(config).to.include({ port: 3000, priceFallback: 'us-east-1' });
    expect(config.ingest).to.deep.equal({
      maxBytes: 5_242_880,
      waitMs: 5000,
      maxBytesPerMinute: 2_500_000_000,
      maxBacklogBytes: 4 * 1024 ** 3,
    });
    expect(config.keys.entries).to.have.length(32);
    expect(config.workerQueues).to.include('ingest-entries');
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('reads origins, and refuses what is not an origin', () => {
    expect(readConfig(complete).corsOrigins).to.deep.equal([]);
    const origins = ['https://app.example.com', 'http://localhost:5173'];
    expect(readConfig({ ...complete, CORS_ORIGINS: origins.join(' , ') }).corsOrigins).to.deep.equal(origins);
    for (const wrong of '* app.example.com https://app.example.com/ https://a.example/x ftp://a.example ,'.split(' '))
      expectRefused({ CORS_ORIGINS: wrong });
  });

  it('requires a token of metrics that cannot be guessed', () => {
    expect(readConfig(complete).metricsToken).to.equal(undefined);
    expect(readConfig({ ...complete, METRICS_TOKEN: 'a token of tests' }).metricsToken).to.equal('a token of tests');
    expectRefused({ METRICS_TOKEN: 'x'.repeat(15) });
  });

  it('names every invalid variable in one sentence', () => {
    const wrong = { PORT: '99999', SERVICE_SECRET: 'short', INGEST_MAX_BACKLOG_BYTES: 'many', WORKER_QUEUES: 'x' };
    const message = configErrorOf(wrong);
    for (const name of [...Object.keys(wrong), 'MONGODB_URL', 'REDIS_URL']) expect(message).to.contain(name);
    expect(message).to.contain('openssl rand -hex 32').and.not.to.contain('\n');
  });

  it('has the concurrency of every queue: fixed, or read from its variable', () => {
    const { concurrency } = readConfig(complete);
    expect(concurrency).to.have.all.keys(allQueues);
    expect(concurrency).to.include({ 'ingest-entries': 4, 'notebook-calls': 32, 'roll-up-usage': 1 });
    const set = readConfig({ ...complete, INGEST_CONCURRENCY: '64' });
    expect(set.concurrency).to.include({ 'ingest-entries': 64, 'notebook-calls': 32 });
    expectRefused({ INGEST_CONCURRENCY: '65' });
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig({ ...complete, PORT: '' }).port).to.equal(3000);
    expectRefused({ REDIS_URL: '' });
  });

  it('reads MONGODB_URL as the driver does', () => {
    for (const url of [
      'mongodb://h1:27017,h2:27018,h3/db?replicaSet=rs0',
      'mongodb://[::1]:27017,127.0.0.1/db',
      'mongodb://%2Ftmp%2Fmongodb.sock/db',
      'mongodb+srv://me:p%40ss@cluster.example/db?retryWrites=false',
      'mongodb://me:pw@h1,h2/db?tls=true&tlsCAFile=%2Fetc%2Fca.pem&authSource=admin&authMechanism=SCRAM-SHA-256',
      // A value that the service decides itself is ignored.
      'mongodb://h/db?w=1&journal=false&readPreference=secondary&maxStalenessSeconds=90&readPreferenceTags=',
    ]) {
      expect(readConfig({ ...complete, MONGODB_URL: url }).mongodbUrl).to.equal(url);
    }
    expect(readConfig(complete).mongodbTimeoutMs).to.equal(5000);
    expectRefused({ MONGODB_TIMEOUT_MS: '2499' });
  });

  for (const [url, reason] of Object.entries({
    'http://me:secret-word@h1/db': 'mongodb://',
    'h1:27017': 'mongodb://',
    'mongodb://': 'host',
    'mongodb://me:secret-word@h1:none/db': 'h1:none',
    'mongodb://h1,h2/db?directConnection=true': 'directConnection',
    'mongodb://me:secret-word@h1/db?replicaSet': 'replicaSet',
    'mongodb://me:secret-word@h1/db?replicaset=a&unknown=1': 'unknown',
    'mongodb://h1/db?tls=perhaps': 'tls',
    'mongodb+srv://a.example,b.example/db': 'service names',
    'mongodb://me:secret-word@@h1/db': 'percent-encoded',
    'mongodb://me:p@ss?secret-word=1@h1/db': 'percent-encoded',
    'mongodb://me:%secret-word@h1/db': 'URI malformed',
  })) {
    it(`refuses MONGODB_URL=${url}`, () => {
      const message = configErrorOf({ ...complete, MONGODB_URL: url });
      expect(message).to.match(/^Configuration: MONGODB_URL [^\n]+\.$/);
      expect(message).to.contain(reason).and.not.to.contain('secret-word');
    });
  }

  it('refuses a password in the address of the notebook backend', () => {
    const message = configErrorOf({ ...complete, NOTEBOOK_BACKEND_URL: 'http://me:secret-word@host' });
    expect(message).to.contain('NOTEBOOK_BACKEND_TOKEN').and.not.to.contain('secret-word');
    expectRefused({ NOTEBOOK_BACKEND_URL: 'ftp://host' });
  });

  it('derives independent keys from each secret', () => {
    const previous = randomBytes(32).toString('hex');
    const { keys, previousKeys } = readConfig({ ...complete, SERVICE_SECRET_PREVIOUS: previous });
    const all = [keys, previousKeys ?? keys].flatMap((of) => Object.values(of)).map((key) => key.toString('hex'));
    expect(new Set(all).size).to.equal(8);
    expect(all).not.to.include(previous);
    expect(readConfig(complete)).to.deep.include({ keys }).and.not.to.have.property('previousKeys');
  });

  it('refuses variables that are removed, in one sentence that says what took the place of each', () => {
    for (const [name, instead] of [
      ['INGEST_MAX_BACKLOG', 'INGEST_MAX_BACKLOG_BYTES'],
      ['REPORT_STORE', 'MongoDB'],
      ['SPOOL_KEY', 'SERVICE_SECRET'],
    ] as const) {
      const message = configErrorOf({ ...complete, [name]: '1' });
      expect(message).to.match(new RegExp(`^Configuration: ${name} is not used any more, so remove it: [^\\n;]+\\.$`));
      expect(message).to.contain(instead);
      expect(readConfig({ ...complete, [name]: '' })).to.be.an('object');
      expect(variableNames).not.to.contain(name);
    }
  });

  it('limits the default page size to the maximum', () => {
    const message = configErrorOf({ ...complete, PAGE_SIZE_DEFAULT: '50', PAGE_SIZE_MAX: '20' });
    expect(message).to.contain('PAGE_SIZE_DEFAULT must be at most PAGE_SIZE_MAX');
    expect(readConfig({ ...complete, PAGE_SIZE_MAX: '10' }).pageSize).to.deep.equal({ default: 10, max: 10 });
    expect(readConfig(complete).pageSize).to.deep.equal({ default: 20, max: 100 });
  });

  it('refuses the secrets of .env.example in production', () => {
    const example = {
      SERVICE_SECRET: '0'.repeat(64),
      DASHBOARD_PASSWORD: 'change-me',
      TOKEN_SECRET: 'change-me-'.repeat(4),
    };
    const message = configErrorOf({ ...complete, ...example, NODE_ENV: 'production' });
    for (const [name, value] of Object.entries(example)) {
      expect(message).to.contain(name);
      expect(read('.env.example')).to.contain(`${name}=${value}\n`);
    }
    expect(readConfig({ ...complete, NODE_ENV: 'production' }).environment).to.equal('production');
  });

  it('refuses secrets in production that resemble those of .env.example, are short or repeat themselves', () => {
    const resembling = 'has, or resembles, the value of .env.example';
    const guessable = 'is too easy to guess';
    const weak: [name: string, value: string, why: string][] = [
      ['SERVICE_SECRET', `${'0'.repeat(63)}1`, guessable],
      ['SERVICE_SECRET', '0123456789abcdef'.repeat(4), guessable],
      ['SERVICE_SECRET_PREVIOUS', 'ab'.repeat(32), guessable],
      ['TOKEN_SECRET', 'change-me-'.repeat(4).slice(1), resembling],
      ['TOKEN_SECRET', `${'a'.repeat(35)}b`, guessable],
      ['TOKEN_SECRET', 'secret'.repeat(6), guessable],
      ['DASHBOARD_PASSWORD', 'Change_me_change_me!', resembling],
      ['DASHBOARD_PASSWORD', 'passwordpassword', guessable],
      ['METRICS_TOKEN', 'changeme-metrics-token', resembling],
      ['METRICS_TOKEN', 'x'.repeat(16), guessable],
    ];
    for (const [name, value, why] of weak) {
      const message = configErrorOf({ ...complete, [name]: value });
      expect(message, value).to.contain(`Configuration: ${name} ${why}; `);
      expect(message).to.contain('openssl rand -hex 32').and.not.to.contain(value);
      expect(readConfig({ ...complete, [name]: value, NODE_ENV: 'development' })).to.be.an('object');
    }
  });

  it('requires a long password of the dashboard in production', () => {
    const short = { ...complete, DASHBOARD_PASSWORD: 'a password of 1' };
    expect(configErrorOf({ ...short, NODE_ENV: 'production' })).to.contain('DASHBOARD_PASSWORD must be at least 16');
    expect(readConfig({ ...short, NODE_ENV: 'development' }).dashboardPassword).to.equal('a password of 1');
  });

  it('is for production if NODE_ENV is not set', () => {
    expect(readConfig(complete)).to.include({ environment: 'production' });
  });

  it('is strict and closed in production by default, else documented and open', () => {
    const authOf = (environment: Record<string, string>) => readConfig({ ...complete, ...environment }).auth;
    expect(authOf({ NODE_ENV: 'development' })).to.include({ mode: 'documented', registration: 'open' });
    expect(authOf({ NODE_ENV: 'production' })).to.include({ mode: 'strict', registration: 'closed' });
    for (const AUTH_MODE of ['documented', 'open'])
      expect(authOf({ NODE_ENV: 'production', AUTH_MODE }).mode).to.equal('documented');
    expectRefused({ AUTH_MODE: 'none', TOKEN_SECRET: 'short', REGISTRATION: 'maybe' });
  });

  it('reads the number of trusted proxies', () => {
    const proxies = (value: string) => readConfig({ ...complete, TRUST_PROXY: value }).trustedProxies;
    expect(['', 'false', '0', 'true', '1', '2'].map(proxies)).to.deep.equal([0, 0, 0, 1, 1, 2]);
    expectRefused({ TRUST_PROXY: 'all' });
  });

  it('accepts a folder of notebooks only if Jupyter can have it', () => {
    const folder = (value: string) =>
      readConfig({ ...complete, NOTEBOOK_BACKEND_FOLDER: value }).notebooks.backendFolder;
    expect(['', 'notes', 'team ü/notes 2026'].map(folder)).to.deep.equal(['', 'notes', 'team ü/notes 2026']);
    const refused = '/notes notes/ a//b .. a/../b .hidden a/.hidden a\\b a\u0000b'.split(' ');
    for (const value of [...refused, 'x'.repeat(201)]) expectRefused({ NOTEBOOK_BACKEND_FOLDER: value });
  });

  it('reads comma-separated lists', () => {
    const config = readConfig({ ...complete, PII_KINDS: 'email, payment_card', PII_COUNTRIES: 'IT,US' });
    expect(config.pii).to.deep.equal({ kinds: ['email', 'payment_card'], countries: ['IT', 'US'] });
    expectRefused({ PII_COUNTRIES: 'italy', WORKER_QUEUES: ',' });
  });

  it('has each variable once, and few of them', () => {
    expect(new Set(variableNames).size).to.equal(variableNames.length);
    expect(variableNames).to.have.length.at.most(48);
  });

  it('has the defaults of development when it is read from .env.example', () => {
    const lines = [...read('.env.example').matchAll(/^#([A-Z_\d]+)=(.*)$/gm)];
    const example = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    expect(Object.keys(example)).to.deep.equal(variableNames);
    const config = readConfig(example);
    const required = Object.keys(complete).map((name) => [name, example[name]]);
    expect(config).to.deep.equal(readConfig({ NODE_ENV: 'development', ...Object.fromEntries(required) }));
  });
});
