import type { Action } from '../history.ts';
import type { Client, Request } from './client.ts';

type Entries = Extract<Action, { kind: 'entries' }>;

/** A way to send log entries. `promise` is what its 200 says of them. */
interface Form {
  readonly promise: Entries['promise'];
  readonly max: number;
  readonly request: (scenario: string, messages: readonly string[]) => Request;
}

const strict = (scenario: string, query: string, content: unknown, headers = {}): Request => ({
  method: 'POST',
  path: `/ingest${query}`,
  headers: { 'X-Scenario-ID': scenario, ...headers },
  body: JSON.stringify(content),
});
const stream = (scenario: string, query: string, type: string, body: string): Request => ({
  method: 'POST',
  path: `/ingest/${scenario}${query}`,
  headers: { 'Content-Type': type },
  body,
});
const list = (messages: readonly string[]) => messages.map((message) => ({ message }));
const lines = (messages: readonly string[]) => messages.map((message) => `${message}\n`).join('');
const objects = (messages: readonly string[]) =>
  messages.map((log) => `${JSON.stringify({ log, stream: 'stdout' })}\n`).join('');

const ndjson = 'application/x-ndjson';
const text = 'text/plain';

const forms: readonly Form[] = [
  { promise: 'stored', max: 1, request: (scenario, [message]) => strict(scenario, '', { message }) },
  { promise: 'stored', max: 40, request: (scenario, messages) => strict(scenario, '', list(messages)) },
  {
    promise: 'stored',
    max: 40,
    request: (scenario, messages) => strict(scenario, '', list(messages), { Prefer: 'respond-async' }),
  },
  { promise: 'queued', max: 40, request: (scenario, messages) => strict(scenario, '?answer=summary', list(messages)) },
  { promise: 'stored', max: 40, request: (scenario, messages) => strict(scenario, '?answer=stored', list(messages)) },
  { promise: 'queued', max: 40, request: (scenario, messages) => stream(scenario, '', ndjson, objects(messages)) },
  { promise: 'queued', max: 40, request: (scenario, messages) => stream(scenario, '', text, lines(messages)) },
  {
    promise: 'stored',
    max: 1500,
    request: (scenario, messages) => stream(scenario, '?answer=stored', text, lines(messages)),
  },
  {
    promise: 'queued',
    max: 40,
    request: (scenario, messages) => ({
      method: 'POST',
      path: '/v1/logs',
      headers: { 'X-Scenario-ID': scenario },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: messages.map(record) }] }] }),
    }),
  },
];
const record = (stringValue: string) => ({ body: { stringValue } });

let sent = 0;

/** Sends entries in one of the forms, and repeats them with a key, or at times without one. */
export async function sendEntries(client: Client, scenario: string, random: () => number): Promise<void> {
  const form = forms[Math.floor(random() * forms.length)] as Form;
  const isLong = random() < 0.05;
  const count = 1 + Math.floor(random() * (isLong ? form.max : Math.min(form.max, 40)));
  await sendForm(client, form, scenario, count, { isKeyed: random() < 0.7, max: random() < 0.3 ? 1 : 4 });
}

/** Sends an entry that is in the database when it is acknowledged. @returns the status. */
export async function sendOneEntry(client: Client, scenario: string): Promise<number | undefined> {
  return sendForm(client, forms[0] as Form, scenario, 1, { isKeyed: true, max: 1 });
}

async function sendForm(
  client: Client,
  { promise, request }: Form,
  scenario: string,
  count: number,
  repeats: { isKeyed: boolean; max: number },
): Promise<number | undefined> {
  sent += 1;
  const prefix = `torture message ${sent} line`;
  const messages = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  const answer = await client.operate(
    { kind: 'entries', scenario, prefix, count, promise },
    request(scenario, messages),
    repeats,
  );
  return answer?.status;
}
