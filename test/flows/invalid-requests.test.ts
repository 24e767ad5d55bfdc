import { expect } from 'chai';
import { type Account, createAccount, createApiKey, password } from '../support/accounts.ts';
import { createRunningScenario, createScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/** A body, or the end of an address, and the fields that its error names. */
type Invalid = readonly [sent: unknown, ...fields: string[]];

const unknownVersion = '2026-01-01-000000000000';
const scenario = { name: 'never stored', region: 'eu-west-1' };
const named = (...names: unknown[]): Invalid[] => names.map((name) => [{ ...scenario, name }, 'name']);
const malformedAssumptions = {
  queue: { type: 'lifo', requests_per_message: 0 },
  function: { architecture: 'mips', memory_mb: 127, duration_ms: -1 },
  inference: { model: 'gpt-unknown', output_tokens_per_entry: 1.5 },
  free_tier: 'yes',
};
const fieldsOf = (part: object, path: string): string[] =>
  Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'object' ? fieldsOf(value, `${path}.${name}`) : [`${path}.${name}`],
  );
const schedule = (changes: object) => ({ scenario_id: '{running}', format: 'csv', cron: '0 7 * * *', ...changes });
const design = { name: 'one', assumptions: {} };
const designWith = (changes: object) => ({ designs: [{ ...design, ...changes }] });
const queue = { service: 'queue' };
const override = (fields: object, field: string): Invalid => [{ overrides: [fields] }, `overrides[0].${field}`];
const ids = (count: number) => Array.from({ length: count }, () => '{unknown}');

/** By method and address. Names in braces stand for ids. */
const invalid: Record<string, readonly Invalid[]> = {
  'POST /api/v1/auth/register': [
    [{}, 'email', 'password'],
    [{ email: 'a@example.com', password: 'x'.repeat(9) }, 'password'],
    [{ email: 'a@example.com', password: 'x'.repeat(73) }, 'password'],
    [{ email: 'a@example.com', password: 'é'.repeat(37) }, 'password'],
    [{ email: 'a@example.com', password: 'long enough\0but cut' }, 'password'],
    [{ email: 'nobody', password }, 'email'],
    [{ email: { $gt: '' }, password: { $gt: '' } }, 'email', 'password'],
    [{ email: 'a@example.com', password, role: 'admin' }, 'role'],
  ],
  'POST /api/v1/auth/login': [[{ email: '', password: '' }, 'email', 'password']],
  'POST /api/v1/auth/password-reset': ['', 7, null, { $ne: '' }, undefined].map((token) => [
    { token, password },
    'token',
  ]),
  'POST /api/v1/auth/browser-session': [[{ email: { $gt: '' }, remember: true }, 'email', 'password', 'remember']],
  'DELETE /api/v1/auth/browser-session': [
    ['?everywhere=perhaps', 'everywhere'],
    ['?all=true', 'all'],
  ],
  'POST /api/v1/api-keys': [
    [{}, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'k', scopes: ['everything'] }, 'scopes[0]'],
    [{ name: 'k', scopes: [] }, 'scopes'],
    [{ name: 'k', scopes: ['ingest', 'ingest'] }, 'scopes[1]'],
    [{ name: 'k', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'k', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'k', key: 'mb_x_y' }, 'key'],
    [{ name: 'k', tier: 'gold' }, 'tier'],
  ],
  'GET /api/v1/api-keys': [
    ['?page=0&owner=x', 'page', 'owner'],
    ['/x', 'id'],
  ],
  'PATCH /api/v1/api-keys/{key}': [[{}, 'body']],
  'POST /api/v1/api-keys/{key}/rotate': [-1, 1.5, '60', 1e9].map((grace) => [
    { grace_seconds: grace },
    'grace_seconds',
  ]),
  'POST /api/v1/users': [
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com', role: 'root' }, 'role'],
    [{ email: 'a@example.com', password }, 'password'],
    [{ email: { $ne: '' }, role: { $ne: '' } }, 'email', 'role'],
  ],
  'PATCH /api/v1/users/{user}': [
    [{}, 'body'],
    [{ role: 'root' }, 'role'],
    [{ disabled: 'true' }, 'disabled'],
    [{ role: 'member', email: 'b@example.com' }, 'email'],
  ],
  'GET /api/v1/audit-records': [
    ['?event_type=SCENARIO_RENAMED', 'event_type'],
    ['?scenario_id=1&user_id=2&request_id=3', 'scenario_id', 'user_id', 'request_id'],
    ['?from=yesterday&to=2026-02-30', 'from', 'to'],
    ['?page=0&page_size=1000', 'page', 'page_size'],
    ['?page=10000&page_size=100', 'page'],
    ['?actor=me', 'actor'],
    ['/verify?from_seq=0&limit=0', 'from_seq', 'limit'],
    ['/verify?limit=2001', 'limit'],
    ['/verify?from_seq=1.5', 'from_seq'],
  ],
  'GET /api/v1/jobs': [
    ['?queue=unknown', 'queue'],
    ['?state=broken', 'state'],
    ['?request_id=1', 'request_id'],
    ['?scenario_id=x', 'scenario_id'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?cursor=1', 'cursor'],
    ['?cursor=none:failed:0', 'cursor'],
    ['?queue=roll-up-usage&cursor=delete-scenario:failed:0', 'cursor'],
    ['?state=failed&cursor=delete-scenario:active:0', 'cursor'],
    ['?page=1', 'page'],
  ],
  'POST /api/v1/scenarios': [
    [{}, 'name', 'region'],
    ...named('', '   ', '\u200b\u2060\u00ad\u3164 \u2800', '\u0001\u202e', '😀'.repeat(101), 7, { $gt: '' }, 'a\0b'),
    ['{"name":"a\\ud800","region":"eu-west-1"}', 'name'],
    [{ ...scenario, description: 'x'.repeat(501) }, 'description'],
    [{ ...scenario, region: 'eu-atlantis-1' }, 'region'],
    [{ ...scenario, region: { $ne: null } }, 'region'],
    [{ ...scenario, status: 'running' }, 'status'],
    [{ ...scenario, assumptions: { queue: { kind: 'fifo' } } }, 'assumptions.queue.kind'],
    ['{"name":"x","region":"eu-west-1","__proto__":{"a":1}}', '__proto__'],
    ['{"name":"x","region":"eu-west-1","__\\u0070roto__":{}}', '__proto__'],
    [{ ...scenario, assumptions: malformedAssumptions }, ...fieldsOf(malformedAssumptions, 'assumptions')],
    [[scenario], 'body'],
    ['{"name":"a\\u0000","region":"mars-1","x":1}', 'name', 'region', 'x'],
    [`{"name":[${'"\\u0000",'.repeat(5000)}0]}`, 'body'],
    // An error names at most 20 fields.
    [`{"name":[${'"\\u0000",'.repeat(900)}0]}`, ...Array.from({ length: 20 }, (_, index) => `name[${index}]`)],
    [`{"name":"x","region":"eu-west-1","assumptions":${'['.repeat(40_000)}${']'.repeat(40_000)}}`, 'assumptions'],
    ['{"name": ', 'body'],
    ['', 'body'],
    ...[unknownVersion, '2026-10-01', 'x'.repeat(5_000), '../etc', '{version}\n'].map(
      (version): Invalid => [{ ...scenario, assumptions: { price_book: version } }, 'assumptions.price_book'],
    ),
  ],
  'GET /api/v1/scenarios': [
    ['?page=0', 'page'],
    ['?page=-1', 'page'],
    ['?page=1.5', 'page'],
    ['?page=x', 'page'],
    ['?page=1&page=2', 'page'],
    ['?page_size=0', 'page_size'],
    ['?page_size=101', 'page_size'],
    ['?status=paused', 'status'],
    ['?region=moon-1', 'region'],
    ['?sort_by=region', 'sort_by'],
    ['?sort_order=up', 'sort_order'],
    ['?include_archived=perhaps', 'include_archived'],
    ['?status[$ne]=draft', 'status[$ne]'],
    ['?search=%00', 'search'],
    ['?search=', 'search'],
    ['?search=%20%20', 'search'],
    ['?search=%E2%80%8B', 'search'],
    [`?search=${'x'.repeat(501)}`, 'search'],
    ['?limit=5', 'limit'],
    ['?page=0&page_size=101&sort_by=x', 'sort_by', 'page', 'page_size'],
    ['/compare?ids={running}', 'ids'],
    ['/compare?ids={running},{running}', 'ids'],
    [`/compare?ids=${ids(11).join()}`, 'ids'],
    ['/compare', 'ids'],
    ...[unknownVersion, 'newest', 'x'.repeat(2_000)].map(
      (version): Invalid => [`/compare?ids={running},{draft}&price_book=${version}`, 'price_book'],
    ),
    ['/{running}/metrics/levels?limit=2001&interval=month', 'interval', 'limit'],
  ],
  'PUT /api/v1/scenarios/{draft}': [[{}, 'body']],
  'POST /api/v2/scenarios': [[{ region: 'x' }, 'name', 'region']],
  'GET /api/v2/scenarios': [
    ['?page_size=101', 'page_size'],
    ['/x', 'scenario_id'],
  ],
  'POST /api/v2/scenarios/bulk/delete': [
    [ids(101), 'body'],
    [{ ids: ['{draft}'] }, 'body'],
    [[7, null, { $ne: '' }], '[0]', '[1]', '[2]'],
    [['{draft}', ...ids(97), 'x', '{draft}'], '[98]'],
    [['{draft}', 'x'], '[1]'],
  ],
  'GET /api/v1/scenarios/{running}/charts': [
    ['/cost.svg', 'kind'],
    ['/cost-over-time.svg?theme=blue', 'theme'],
    ['/cost-over-time.svg?interval=week', 'interval'],
    ['/cost-over-time.svg?from=yesterday', 'from'],
    ['/cost-over-time.svg?from=2026-05-02T00:00:00Z&to=2026-05-01T00:00:00Z', 'from'],
  ],
  'POST /api/v1/scenarios/{running}/designs': [
    [{ designs: [] }, 'designs'],
    [{ designs: Array.from({ length: 11 }, (_, index) => ({ ...design, name: `${index}` })) }, 'designs'],
    [{ designs: [design, design] }, 'designs[1]'],
    [{ designs: [{ assumptions: {} }] }, 'designs[0].name'],
    [{ volume: {} }, 'volume'],
    [{ volume: { entries_per_month: 1, entries_per_second: 1 } }, 'volume'],
    [{ volume: { entries_per_month: 0 } }, 'volume.entries_per_month'],
    [{ volume: { entries_per_month: 1.5 } }, 'volume.entries_per_month'],
    [{ volume: { entries_per_second: 0 } }, 'volume.entries_per_second'],
    [{ volume: { entries_per_second: 0.0000001 } }, 'volume'],
    [designWith({ price_book: unknownVersion }), 'designs[0].price_book'],
    [designWith({ assumptions: { price_book: unknownVersion } }), 'designs[0].assumptions.price_book'],
    [designWith({ region: 'nowhere' }), 'designs[0].region'],
    [designWith({ cost: 1 }), 'designs[0].cost'],
    [designWith({ assumptions: { pipeline: { batch: 1 } } }), 'designs[0].assumptions.pipeline.batch'],
    [designWith({ assumptions: { function: { duration_ms: 50 } } }), 'designs[0].assumptions.function.duration_ms'],
    [{ unknown: 1 }, 'unknown'],
    ...[unknownVersion, 'newest', 'x'.repeat(2_000)].map(
      (version): Invalid => [`?price_book=${version}`, 'price_book'],
    ),
  ],
  'GET /api/v1/price-books': [
    [`/{version}/diff?to=${unknownVersion}`, 'to'],
    ['/{version}/diff', 'to'],
    ['/2026-10-01.1', 'version'],
    [`/${'x'.repeat(3_000)}`, 'version'],
  ],
  'PUT /api/v1/price-overrides': [
    ...['0', '100.5', '1.234', 5].map((percent) =>
      override({ ...queue, discount_percent: percent }, 'discount_percent'),
    ),
    override({ ...queue, discount_percent: '5', from: '2026-01-01' }, 'from'),
    override({ ...queue, discount_percent: '5', price: '1' }, 'price'),
    override({ service: 'storage', discount_percent: '5' }, 'service'),
    override(queue, 'price'),
    override({ ...queue, price: '1' }, 'item'),
    override({ ...queue, item: 'standard', price: '-1' }, 'price'),
    override({ ...queue, item: 'standard', price: '0.0000000000000000001' }, 'price'),
    override({ ...queue, item: 'standard', price: '1', kind: 'input' }, 'kind'),
    override({ ...queue, item: 'standard', price: '1', region: 'moon-1' }, 'region'),
    override({ service: 'inference', item: 'no.model', kind: 'input', price: '1' }, 'item'),
    override({ service: 'inference', item: 'amazon.nova-lite-v1:0', price: '1' }, 'kind'),
    [{ overrides: ['5', '6'].map((percent) => ({ ...queue, discount_percent: percent })) }, 'overrides[1]'],
    [{ overrides: 'all' }, 'overrides'],
  ],
  'POST /api/v1/report-schedules': [
    [schedule({ format: 'docx', extra: 1 }), 'format', 'extra'],
    [schedule({ cron: '0 0 31 2 *' }), 'cron'],
    [schedule({ cron: 'tomorrow' }), 'cron'],
    [schedule({ timezone: 'Nowhere/City' }), 'timezone'],
    [schedule({ scenario_id: 'x', enabled: 'yes' }), 'scenario_id', 'enabled'],
    [schedule({ format: 'pdf', detail: 'entries', dialect: 'excel' }), 'detail', 'dialect'],
  ],
  'PATCH /api/v1/report-schedules/{schedule}': [
    [{}, 'body'],
    [{ cron: '0 0 30 2 *' }, 'cron'],
  ],
  'GET /api/v1/report-schedules/{schedule}': [['?runs=6', 'runs']],
  'POST /api/v1/notebooks': [
    [{}, 'title'],
    [{ title: 7, description: [], colour: 'red' }, 'title', 'description', 'colour'],
    ...[{ $gt: '' }, null, 'nul \0 inside', 'ab', '  ab  ', '', '   ', '\u200b\u200d\u2060', '😀😀'].map(
      (title): Invalid => [{ title }, 'title'],
    ),
    ...['😀', 'a'].flatMap((letter): Invalid[] => [
      [{ title: letter.repeat(101) }, 'title'],
      [{ title: 'abc', description: letter.repeat(501) }, 'description'],
    ]),
    ...['[]', '"text"', 'null', '{"title":', ''].map((text): Invalid => [text, 'body']),
  ],
  'PATCH /api/v1/notebooks/{unknown}': [
    [{}, 'body'],
    [{ title: 'ab' }, 'title'],
    [{ title: null }, 'title'],
    [{ title: 'fine', colour: 'red' }, 'colour'],
    [{ description: 'a'.repeat(501) }, 'description'],
  ],
  'GET /health/ready': [['?for=reports', 'for']],
  'GET /api/v1/reports': [['?status=done&format=doc', 'status', 'format']],
};

describe('requests that are not valid', () => {
  const service = startTestService({ workers: false });
  let admin: Account;
  const key: Record<string, string> = {};
  const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'meterbook' };
  const known: Record<string, string> = { unknown: '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11' };
  const withIds = (text: string) => text.replaceAll(/\{(\w+)\}/g, (braced, name: string) => known[name] ?? braced);
  const countAll = () => Promise.all(Object.values(service.app.models).map((model) => model.countDocuments()));
  before(async () => {
    admin = await createAccount(service);
    known['user'] = (await createAccount(service)).user.id;
    const created = await createApiKey(service, admin);
    known['key'] = created.id;
    key['X-API-Key'] = created.key;
    known['draft'] = (await createScenario(service)).id;
    known['running'] = (await createRunningScenario(service)).id;
    known['version'] = (await service.request('GET', '/api/v1/models')).body.price_book.version;
    const body = schedule({ scenario_id: known['running'] });
    known['schedule'] = (await service.request('POST', '/api/v1/report-schedules', { ...admin, body })).body.id;
  });

  for (const [request, rows] of Object.entries(invalid)) {
    it(`are refused by ${request} with their fields named, and store nothing`, async () => {
      const before = await countAll();
      const [method = '', path = ''] = withIds(request).split(' ');
      for (const [sent, ...fields] of rows) {
        const isAddress = typeof sent === 'string' && /^[/?]/.test(sent);
        const text = withIds(typeof sent === 'string' ? sent : JSON.stringify(sent));
        const response = await service.request(method, isAddress ? path + text : path, {
          headers: { ...(path.startsWith('/api/v1/notebooks') ? key : admin.headers), ...headers },
          body: isAddress ? undefined : text,
        });
        expectError(response, 400, 'VALIDATION_ERROR', fields);
      }
      expect(await countAll()).to.deep.equal(before);
    });
  }
});
