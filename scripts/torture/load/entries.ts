import type { Action } from '../history.ts';
import type { Client, Repeats, Request } from './client.ts';

/** A way to send log entries. `promise` is what its 200 says of them. */
interface Form {
  readonly promise: Extract<Action, { kind: 'entries' }>['promise'];
  /** Default: 40. */
  readonly max?: number;
  readonly request: (scenario: string, messages: readonly string[]) => Omit<Request, 'method'>;
}

const strict = (scenario: string, query: string, content: unknown, headers = {}) => ({
  path: `/ingest${query}`,
  headers: { 'X-Scenario-ID': scenario, ...headers },
  body: JSON.stringify(content),
});
const stream = (scenario: string, query: string, type: string, all: readonly string[]) => ({
  path: `/ingest/${scenario}${query}`,
  headers: { 'Content-Type': type },
  body: all.map((line) => `${line}\n`).join(''),
});
const otlp = (scenario: string, logRecords: readonly object[]) => ({
  path: `/ingest/${scenario}/v1/logs`,
  body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
});
const list = (texts: readonly string[]) => texts.map((message) => ({ message }));
const objects = (texts: readonly string[]) => texts.map((log) => JSON.stringify({ log }));
const records = (texts: readonly string[]) => texts.map((stringValue) => ({ body: { stringValue } }));

const plain = 'text/plain';
const single: Form = { promise: 'counted', max: 1, request: (id, [message]) => strict(id, '', { message }) };
const forms: readonly Form[] = [
  single,
  { promise: 'counted', request: (id, texts) => strict(id, '', list(texts)) },
  { promise: 'counted', request: (id, texts) => strict(id, '', list(texts), { Prefer: 'respond-async' }) },
  { promise: 'accepted', request: (id, texts) => strict(id, '?answer=summary', list(texts)) },
  { promise: 'counted', request: (id, texts) => stream(id, '?answer=full', plain, texts) },
  { promise: 'accepted', request: (id, texts) => stream(id, '', 'application/x-ndjson', objects(texts)) },
  // More entries than a batch has.
  { promise: 'accepted', max: 1500, request: (id, texts) => stream(id, '', plain, texts) },
  { promise: 'accepted', request: (id, texts) => otlp(id, records(texts)) },
];

let sent = 0;

/** Sends entries in one of the forms, and repeats them with a key, or at times without one. */
export async function sendEntries(client: Client, scenario: string, random: () => number): Promise<void> {
  const form = forms[Math.floor(random() * forms.length)] as Form;
  const isLong = random() < 0.1;
  const { max = 40 } = form;
  const count = 1 + Math.floor(random() * (isLong ? max : Math.min(max, 40)));
  await sendForm(client, form, scenario, count, { isKeyed: random() < 0.7, max: random() < 0.3 ? 1 : 4 });
}

/** Sends an entry that counts once it gets 200. @returns the status. */
export async function sendOneEntry(client: Client, scenario: string): Promise<number | undefined> {
  return sendForm(client, single, scenario, 1, { isKeyed: true, max: 1 });
}

async function sendForm(
  client: Client,
  { promise, request }: Form,
  scenario: string,
  count: number,
  repeats: Repeats,
): Promise<number | undefined> {
  sent += 1;
  const prefix = `torture message ${sent} line`;
  const messages = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  const action = { kind: 'entries', scenario, prefix, count, promise } as const;
  const answer = await client.operate(action, { method: 'POST', ...request(scenario, messages) }, repeats);
  return answer?.status;
}
