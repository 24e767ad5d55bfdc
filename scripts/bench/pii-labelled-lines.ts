// Generates labelled log lines: personal data in the forms that services log, and similar values
// that are not personal data. The generator is seeded, so that every run measures the same lines.
import {
  CARD_BRANDS,
  createRandom,
  digits,
  grouped,
  luhnNumber,
  NUMBER_SCHEMES,
  type Random,
} from './generated-numbers.ts';

/** An expected finding. Offsets are in UTF-16 code units, and `end` is exclusive. */
interface Label {
  readonly type: 'email' | 'national_id' | 'payment_card';
  readonly start: number;
  readonly end: number;
  readonly country?: string;
}

export interface LabelledLine {
  readonly text: string;
  readonly labels: readonly Label[];
}

interface LabelledValue {
  readonly type: Label['type'];
  readonly value: string;
  readonly country?: string;
  /** Keyword next to the value, or empty. */
  readonly keyword: string;
}

const FIRST = [
  'anna',
  'li.wei',
  'marco_rossi',
  'j.smith',
  'olga',
  'juan-carlos',
  'support',
  'k+news',
  'tomasz.kowalski',
  "o'brien",
  'x',
  'user2026',
];
const HOSTS = [
  'example.com',
  'mail.example.org',
  'example.co.uk',
  'wp.pl',
  'corp.example.net',
  'example.de',
  'a.b.example.io',
  'uni-example.edu',
  'example.com.br',
];
const hex = (random: Random, length: number): string => {
  let text = '';
  for (let i = 0; i < length; i++) text += '0123456789abcdef'.charAt(random.below(16));
  return text;
};
const uuid = (random: Random): string => grouped(hex(random, 32), [8, 4, 4, 4, 12], '-');
const ip = (random: Random): string =>
  `${1 + random.below(223)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
const pad = (n: number, width = 2): string => String(n).padStart(width, '0');
const stamp = (random: Random): string =>
  `2026-${pad(1 + random.below(12))}-${pad(1 + random.below(28))}T${pad(random.below(24))}:${pad(random.below(60))}:${pad(random.below(60))}.${digits(random, 3)}Z`;
const compact = (random: Random): string =>
  `2026${pad(1 + random.below(12))}${pad(1 + random.below(28))}${pad(random.below(24))}${pad(random.below(60))}${pad(random.below(60))}`;
const epochSeconds = (random: Random): string => String(1_700_000_000 + random.below(90_000_000));

/** Log lines with values that resemble personal data. */
const LOOK_ALIKES: readonly ((random: Random) => string)[] = [
  (r) => `trace_id=${hex(r, 32)} span_id=${hex(r, 16)} duration=${r.below(900)}ms`,
  (r) => `request ${uuid(r)} done in 0.${digits(r, 16)} s`,
  (r) => `ts=${epochSeconds(r)} ts_ms=${epochSeconds(r)}${digits(r, 3)} ts_us=${epochSeconds(r)}${digits(r, 6)}`,
  (r) => `backup ${compact(r)}.tar.gz written, ${digits(r, 9)} bytes`,
  (r) => `order_id=${luhnNumber(r, '4', 16)} status=paid amount=${digits(r, 3)}.${digits(r, 2)}`,
  (r) => `order ${luhnNumber(r, '45', 16)} shipped, tracking 1Z${digits(r, 6)}A${digits(r, 9)}`,
  (r) => `snowflake ${1 + r.below(8)}${digits(r, 18)} shard ${r.below(64)}`,
  (r) =>
    `connect ${ip(r)}:${1024 + r.below(60000)} -> ${ip(r)}:443 mac ${grouped(hex(r, 12), [2, 2, 2, 2, 2, 2], ':')}`,
  (r) => `pulled registry.example.com/app@sha256:${hex(r, 64)}`,
  (r) => `npm install lodash@4.17.21 react@18.2.0 @types/node@20.${r.below(20)}.${r.below(9)}`,
  (r) =>
    `GET /assets/logo@${1 + r.below(3)}x.png 200 ${digits(r, 5)} "Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.6099.${digits(r, 3)}"`,
  (r) => `systemd[1]: Started user@${1000 + r.below(50)}.service - User Manager for UID ${1000 + r.below(50)}.`,
  (r) => `cloning git@github.com:example/repo-${r.below(99)}.git at ${hex(r, 40)}`,
  (r) => `dsn=postgres://app:s3cret${r.below(99)}@db-${r.below(9)}.example.com:5432/main`,
  (r) => `pod api-${hex(r, 10)}-${hex(r, 5)} restarted ${r.below(9)} times, uid ${uuid(r)}`,
  (r) => `arn:aws:sqs:eu-west-1:${digits(r, 12)}:queue-${r.below(9)} account ${digits(r, 12)}`,
  (r) =>
    `phone +1 ${200 + r.below(700)} ${digits(r, 3)} ${digits(r, 4)} called ${200 + r.below(700)}-${digits(r, 3)}-${digits(r, 4)}`,
  (r) =>
    `IBAN DE${digits(r, 2)} ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 2)} accepted`,
  (r) => `at com.example.Service$Worker.run(Service.java:${digits(r, 3)}) ~[app-1.${r.below(9)}.${r.below(30)}.jar:?]`,
  (r) =>
    `{"level":"info","offset":${digits(r, 12)},"partition":${r.below(9)},"key":"${hex(r, 24)}","version":"${r.below(20)}.${r.below(100)}.${r.below(1000)}"}`,
  (r) => `pan=0.${digits(r, 2)} sin=-0.${digits(r, 16)} nas01 cf-ray: ${hex(r, 16)}-FRA`,
  (r) => `imei=35${digits(r, 13)} iccid=89${digits(r, 17)}`,
  (r) =>
    `${epochSeconds(r)} 2026.${pad(1 + r.below(12))}.${pad(1 + r.below(28))} R02-M1-N0 RAS KERNEL INFO ${digits(r, 5)} total`,
  (r) => `job 26${pad(1 + r.below(12))}${pad(1 + r.below(28))}-${pad(r.below(24))}${pad(r.below(60))} finished`,
  (r) => `EAN ${luhnNumber(r, '40', 13)} sku ${digits(r, 8)} qty ${r.below(99)}`,
  (r) => `http://[2001:db8:${hex(r, 4)}:${hex(r, 4)}::1]/x?sig=${hex(r, 40)}&expires=${epochSeconds(r)}`,
  (r) => `device ${digits(r, 15)} session ${digits(r, 10)} seq ${digits(r, 11)} rows ${digits(r, 9)}`,
  (r) => `java.lang.Object@${hex(r, 8)} QuorumCnxManager$Listener@${digits(r, 3)}] myid=${r.below(9)}`,
  (r) => `cpu ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 5)} ${digits(r, 3)} 0 0`,
  (r) => `invoice 2026-${digits(r, 3)}-${digits(r, 2)}-${digits(r, 4)} total 1.${digits(r, 3)},${digits(r, 2)} EUR`,
];

const LEVELS = ['INFO', 'WARN', 'ERROR', 'DEBUG'];
/** Log lines with `{}` for the value and `{keyword}` for its keyword. */
const TEMPLATES_WITH_KEYWORD = [
  '{time} {level} user updated {keyword}={} ip={ip}',
  '{time} {level} [api] {keyword}: {} rejected by validation',
  '{"time":"{time}","level":"{level}","{keyword}":"{}","request_id":"{uuid}"}',
  '{"msg":"lookup","body":"{\\"{keyword}\\":\\"{}\\"}","took":{n}}',
  '{level} customer says: my {keyword} is {}, please check',
  '{time} {level} invalid {keyword} ({}) for order 4711',
  'POST /v1/check?{key}={}&lang=en HTTP/1.1 200 {n}',
  '{time} {level} saved {} as {keyword} in {n} ms',
];
const TEMPLATES = [
  ...TEMPLATES_WITH_KEYWORD,
  '{time} {level} received {} from {ip}',
  '{"time":"{time}","level":"{level}","value":"{}","request_id":"{uuid}"}',
  '{ip} - - [10/Nov/2026:13:55:36 +0000] "GET /find?q={}&page={n} HTTP/1.1" 200 512',
  '{level} row: 17;"{}";active;{n}',
  "{level} could not parse '{}'",
  '{} was seen {n} times',
];

function generateValue(random: Random): LabelledValue {
  const kind = random.below(10);
  if (kind < 4)
    return {
      type: 'email',
      value: `${random.pick(FIRST)}@${random.pick(HOSTS)}`,
      keyword: random.next() < 0.5 ? 'email' : '',
    };
  if (kind < 6) {
    const card = random.pick(CARD_BRANDS);
    const number = luhnNumber(random, random.pick(card.prefixes), card.length);
    const value = random.pick([number, grouped(number, card.groups, ' '), grouped(number, card.groups, '-')]);
    return {
      type: 'payment_card',
      value,
      keyword: card.needsKeyword || random.next() < 0.5 ? random.pick(['card', 'card number', 'pan']) : '',
    };
  }
  const scheme = random.pick(NUMBER_SCHEMES);
  const number = scheme.generate(random);
  const needsKeyword = scheme.standaloneForms.length === 0 || (scheme.keywordForms.length > 0 && random.next() < 0.5);
  const value = random.pick(needsKeyword ? scheme.keywordForms : scheme.standaloneForms)(number);
  return {
    type: 'national_id',
    country: scheme.country,
    value,
    keyword: needsKeyword || random.next() < 0.3 ? random.pick(scheme.keywords) : '',
  };
}

function fillTemplate(random: Random, labelled: LabelledValue): LabelledLine {
  const template =
    labelled.keyword === ''
      ? random.pick(TEMPLATES.slice(TEMPLATES_WITH_KEYWORD.length))
      : random.pick(TEMPLATES_WITH_KEYWORD);
  const [before, after] = template
    .replaceAll('{time}', stamp(random))
    .replaceAll('{level}', random.pick(LEVELS))
    .replaceAll('{ip}', ip(random))
    .replaceAll('{uuid}', uuid(random))
    .replaceAll('{n}', String(random.below(5000)))
    .replaceAll('{keyword}', labelled.keyword)
    .replaceAll('{key}', labelled.keyword.replaceAll(' ', '_'))
    .split('{}') as [string, string];
  const isQuery = template.includes('?');
  // Some values in query strings are URL-encoded.
  const encoded = isQuery && random.next() < 0.3 ? encodeURIComponent(labelled.value) : labelled.value;
  const label: Label = {
    type: labelled.type,
    start: before.length,
    end: before.length + encoded.length,
    ...(labelled.country === undefined ? {} : { country: labelled.country }),
  };
  return { text: before + encoded + after, labels: [label] };
}

/** Generates `count` lines, of which 40 % contain personal data. */
export function generateLabelledLines(count: number, seed = 20_261_121): LabelledLine[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    if (random.next() < 0.4) return fillTemplate(random, generateValue(random));
    const text = `${random.next() < 0.5 ? `${stamp(random)} ` : ''}${random.pick(LEVELS)} ${random.pick(LOOK_ALIKES)(random)}`;
    return { text, labels: [] };
  });
}
