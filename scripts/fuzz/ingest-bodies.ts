// Bodies of log entries in every form that is read: most are valid, and some are then changed byte
// by byte.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { chance, draw, oddNames, oddTexts, oddValue, pick, type Random } from './odd-values.ts';

export interface IngestBody {
  form: string;
  type: string;
  /** Undefined if it was changed after it was made. */
  messages: readonly string[] | undefined;
  bytes: Buffer;
  isPacked: boolean;
}

const names = ['timestamp', 'level', 'source', 'attributes', 'usage', ...oddNames];
const fields = fc.dictionary(fc.constantFrom(...names), oddValue, { maxKeys: 2 });
const message = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'grapheme' }));
const entry = fc.tuple(message, fields, fc.nat(4)).map(([text, others, rest]) => ({
  ...(rest === 0 && others),
  message: text,
}));

const lines = (all: readonly string[], random: Random) =>
  all.map((line) => line + pick(random, ['\n', '\r\n', '\n\n'])).join('');
const prefixes = ['', '2026-05-01T12:00:00Z ERROR ', '\tat '];
const json = 'application/json';

/** A form of a body: its content type, and how entries, as JSON or as texts, are written. */
type Form = readonly [
  type: string,
  write: (jsons: readonly string[], texts: readonly string[], random: Random) => string,
];

const forms: Readonly<Record<string, Form>> = {
  list: [json, (jsons, _, random) => `[${jsons.join(pick(random, [',', ' ,\n']))}]`],
  single: [json, ([first = '']) => first],
  concatenated: [json, (jsons, _, random) => jsons.join(pick(random, ['', ' ', '\n']))],
  lines: ['application/x-ndjson', (jsons, _, random) => lines(jsons, random)],
  text: ['text/plain', (_, texts, random) => lines(texts, random).replaceAll(/^/gm, () => pick(random, prefixes))],
  untyped: ['application/octet-stream', (jsons, texts, random) => lines(pick(random, [jsons, texts]), random)],
  otlp: [json, (_, texts, random) => JSON.stringify(otlpRequest(texts, random))],
};

export function generateIngestBody(random: Random): IngestBody {
  const [form, [type, write]] = pick(random, Object.entries(forms));
  const count = form === 'single' ? 1 : Math.ceil(random() * pick(random, [1, 3, 30]));
  const entries = Array.from({ length: count }, () => draw(random, entry));
  const messages = entries.map(({ message }) => message);
  const jsons = entries.map((one) => JSON.stringify(one));
  const text = Buffer.from(write(jsons, messages, random));
  const [isChanged, isPacked] = [chance(random, 0.4), chance(random, 0.2)];
  const packed = isPacked ? gzipSync(text) : text;
  const bytes = isChanged ? changeBytes(packed, random) : packed;
  return { form, type, messages: isChanged ? undefined : messages, bytes, isPacked };
}

export function otlpRequest(messages: readonly string[], random: Random): object {
  const logRecords = messages.map((stringValue) => ({
    timeUnixNano: pick(random, ['1777636800000000000', '0']),
    severityText: pick(random, ['WARN', '']),
    body: { stringValue },
  }));
  return { resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords }] }] };
}

/** Bytes that parsers of JSON, lines and gzip give a meaning to. */
const oddBytes = [0x00, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xc3, 0xed, 0xff];

/** Removes, repeats, replaces or moves bytes in one to four places. */
export function changeBytes(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let times = Math.ceil(random() * 4); times > 0; times -= 1) {
    const at = Math.floor(random() * changed.length);
    const end = Math.min(changed.length, at + Math.ceil(random() * 40));
    const [before, part, after] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    const byte = Buffer.of(pick(random, oddBytes));
    const pieces = [[before, after], [before, part, part, after], [before, byte, part.subarray(1), after], [before]];
    changed = Buffer.concat(pick(random, pieces));
  }
  return changed;
}
