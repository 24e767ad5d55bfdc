// Bodies of log entries in every form that is read, from a grammar: most are valid, and some are
// then changed byte by byte.
import { gzipSync } from 'node:zlib';
import { chance, pick } from './choices.ts';
import { oddNames, oddTexts, oddValues } from './odd-values.ts';

type Random = () => number;

export interface IngestBody {
  form: keyof typeof forms;
  type: string;
  /** Undefined if it was changed after it was made. */
  messages: readonly string[] | undefined;
  bytes: Buffer;
  isPacked: boolean;
}

const forms = {
  list: 'application/json',
  single: 'application/json',
  logs: 'application/json',
  concatenated: 'application/json',
  lines: 'application/x-ndjson',
  text: 'text/plain',
  untyped: 'application/octet-stream',
  otlp: 'application/json',
  loki: 'application/json',
  bulk: 'application/x-ndjson',
  form: 'multipart/form-data; boundary=x',
} as const;

export function generateIngestBody(random: Random): IngestBody {
  const form = pick(random, Object.keys(forms) as (keyof typeof forms)[]);
  const entries = Array.from({ length: Math.ceil(random() * pick(random, [1, 3, 30])) }, () => generateEntry(random));
  const text = writeForm(form, form === 'single' ? entries.slice(0, 1) : entries, random);
  const isChanged = chance(random, 0.4);
  const bytes = isChanged ? changeBytes(Buffer.from(text), random) : Buffer.from(text);
  const isPacked = chance(random, 0.2);
  const packed = isPacked ? gzipSync(bytes) : bytes;
  const isDamaged = isPacked && chance(random, 0.2);
  return {
    form,
    type: forms[form],
    messages: isChanged || isDamaged ? undefined : entries.map(({ message }) => message),
    bytes: isDamaged ? changeBytes(packed, random) : packed,
    isPacked,
  };
}

interface Entry {
  message: string;
  [name: string]: unknown;
}

function generateEntry(random: Random): Entry {
  const message = pick(random, [() => pick(random, oddTexts), () => `GET /${random()} from jane@example.com`])();
  const optional: Record<string, () => unknown> = {
    timestamp: () => pick(random, ['2026-05-01T12:00:00Z', 1_777_636_800, 1_777_636_800_000, pick(random, oddValues)]),
    level: () => pick(random, ['info', 'ERROR', 30, pick(random, oddValues)]),
    source: () => pick(random, ['api', pick(random, oddValues)]),
    attributes: () => pick(random, [{ a: 1, b: { c: [true] } }, pick(random, oddValues)]),
    usage: () => pick(random, [{ input_tokens: 5 }, { function_duration_ms: 1.5 }, pick(random, oddValues)]),
    [pick(random, oddNames)]: () => pick(random, oddValues),
  };
  const fields = Object.entries(optional).filter(() => chance(random, 0.15));
  return { message, ...Object.fromEntries(fields.map(([name, make]) => [name, make()])) };
}

function writeForm(form: keyof typeof forms, entries: readonly Entry[], random: Random): string {
  const values = entries.map((entry) => JSON.stringify(entry));
  const lines = (all: readonly string[]) => all.map((line) => line + pick(random, ['\n', '\r\n', '\n\n'])).join('');
  const list = `[${values.join(pick(random, [',', ' ,\n']))}]`;
  const texts = entries.map(({ message }) => message);
  switch (form) {
    case 'list':
      return list;
    case 'single':
      return values[0] ?? '';
    case 'logs':
      return `{"logs":${list}}`;
    case 'concatenated':
      return values.join(pick(random, ['', ' ', '\n']));
    case 'lines':
      return lines(values);
    case 'text':
      return lines(texts.map((text) => pick(random, ['', '2026-05-01T12:00:00Z ERROR ', '\tat ']) + text));
    case 'untyped':
      return pick(random, [list, lines(values), lines(texts)]);
    case 'otlp':
      return JSON.stringify(otlpRequest(texts, random));
    case 'loki':
      return JSON.stringify({ streams: [{ stream: { job: 'a' }, values: texts.map((text) => ['1', text]) }] });
    case 'bulk':
      return lines(values.flatMap((value) => ['{"create":{}}', value]));
    default:
      return `--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n${lines(values)}\r\n--x--\r\n`;
  }
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

/** Changes bytes in one to four ways. */
export function changeBytes(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let times = Math.ceil(random() * 4); times > 0; times -= 1) {
    const at = Math.floor(random() * changed.length);
    const end = Math.min(changed.length, at + Math.ceil(random() * 40));
    const [before, part, after] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    changed = pick(random, [
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, part, part, after]),
      () => Buffer.concat([before, Buffer.of(pick(random, oddBytes)), part, after]),
      () => Buffer.concat([before, Buffer.of(pick(random, oddBytes)), part.subarray(1), after]),
      () => Buffer.concat([before, after, part]),
      () => before,
    ])();
  }
  return changed;
}
