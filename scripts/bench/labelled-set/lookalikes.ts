import { digits, type Random } from '../generated-numbers.ts';
import { complete } from './card-numbers.ts';
import { between, letter } from './ids/id-scheme.ts';

/** Values that fill log lines and are not personal data, though many have its form. */
export function createLookalikes(random: Random) {
  const hex = (count: number) => Array.from({ length: count }, () => letter(random, '0123456789abcdef')).join('');
  const octet = () => between(random, 1, 254);
  const seconds = () => 1_780_000_000 + random.below(30_000_000);
  const date = () => new Date(seconds() * 1000 + random.below(1000));
  const iso = () => date().toISOString();
  const version = () => `${random.below(20)}.${random.below(30)}.${random.below(40)}`;
  return {
    hex,
    /** Random digits. Long ones begin with 9, as no card without a label does. */
    digits: (count: number) => (count < 13 ? digits(random, count) : `9${digits(random, count - 1)}`),
    /** Begins as a card does and passes Luhn, after a full stop. */
    fraction: () => `0.${complete(random, '4', 16)}`,
    int: (from: number, to: number) => between(random, from, to),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    iso,
    /** `2026-11-23 09:15:02,345`. */
    isoComma: () => iso().replace('T', ' ').replace('.', ',').slice(0, 23),
    /** `2026-11-23 09:15:02`. */
    isoSpace: () => iso().replace('T', ' ').slice(0, 19),
    /** `Nov 23 09:15:02`, of syslog. */
    bsd: () => `${date().toUTCString().slice(8, 11)} ${date().toUTCString().slice(5, 7)} ${iso().slice(11, 19)}`,
    /** `23/Nov/2026:09:15:02 +0000`, of web servers. */
    clf: () => `${date().toUTCString().slice(5, 16).replaceAll(' ', '/')}:${iso().slice(11, 19)} +0000`,
    compact: () => iso().replace(/\D/g, '').slice(0, 14),
    seconds: () => String(seconds()),
    millis: () => String(seconds() * 1000 + random.below(1000)),
    micros: () => String(seconds() * 1_000_000 + random.below(1_000_000)),
    nanos: () => `${seconds()}${digits(random, 9)}`,
    ip: () => `10.${octet()}.${octet()}.${octet()}`,
    ip6: () => `fd00:${hex(4)}:${hex(4)}::${hex(4)}`,
    mac: () => Array.from({ length: 6 }, () => hex(2)).join(':'),
    port: () => between(random, 1024, 65_535),
    pid: () => between(random, 100, 32_000),
    ms: () => between(random, 1, 4_000),
    version,
    host: () =>
      `${random.pick(['web', 'db', 'mail', 'app', 'build'])}${between(random, 1, 9)}.${random.pick(['example.com', 'example.net', 'corp.example.org'])}`,
    pod: () => `${random.pick(['api', 'checkout', 'ledger'])}-${hex(9)}-${hex(5)}`,
    service: () => random.pick(['checkout', 'ledger', 'kyc', 'signup', 'billing', 'crm']),
    login: () => random.pick(['deploy', 'ubuntu', 'backup', 'jenkins', 'oracle', 'postgres', 'alice']),
    trace: () => hex(32),
    span: () => hex(16),
    /** Sixteen digits that begin as no card does. */
    order: () => `${random.pick(['10', '17', '20', '99'])}${digits(random, 8)}`,
    snowflake: () => `1${digits(random, 18)}`,
    phone: () =>
      random.pick([
        `+48 ${digits(random, 3)} ${digits(random, 3)} ${digits(random, 3)}`,
        `+1-${between(random, 201, 989)}-${digits(random, 3)}-${digits(random, 4)}`,
        `(${between(random, 201, 989)}) 555-0${digits(random, 3)}`,
        `+44 20 7946 0${digits(random, 3)}`,
        `+49${digits(random, 10)}`,
        `0${digits(random, 2)}-${digits(random, 7)}`,
      ]),
    iban: () =>
      random.pick([
        `DE${digits(random, 20)}`,
        `PL${digits(random, 26)}`,
        `DE${digits(random, 2)} ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 2)}`,
        `GB${digits(random, 2)} WEST ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 2)}`,
        `NL${digits(random, 2)}INGB${digits(random, 10)}`,
      ]),
    /** A number that passes Luhn, as many numbers do that are not of cards. */
    luhn: (prefix: string, length: number) => complete(random, prefix, length),
    /** The equipment identity of a telephone, which has a Luhn digit. */
    imei: () => complete(random, '35', 15),
    coordinates: () => `${between(random, 35, 60)}.${digits(random, 6)},${between(random, 2, 30)}.${digits(random, 6)}`,
    amount: () => `${between(random, 1, 9_999)}.${digits(random, 2)}`,
    base64: (count: number) =>
      Array.from({ length: count }, () => letter(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')).join(
        '',
      ),
  };
}

export type Lookalikes = ReturnType<typeof createLookalikes>;
