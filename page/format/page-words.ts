// Sentences of the API in the words of the page: they name fields and values as callers send them.

/** The labels of fields, by the last part of their paths, or the last two. */
const labels: Readonly<Record<string, string>> = {
  architecture: 'Architecture',
  batch_size: 'Messages of one invocation',
  cache_prompt: 'Cache the instruction',
  cache_ttl: 'Lifetime of the cache',
  cold_start_percent: 'Cold starts',
  body: 'The request',
  description: 'Description',
  duration_ms: 'Duration',
  email: 'E-mail address',
  entries_per_call: 'Entries of one call',
  entries_per_month: 'Entries a month',
  entries_per_second: 'Entries a second',
  expires_at: 'Expires',
  free_tier: 'Free tier',
  from: 'From',
  'inference.profile': 'Prices',
  'inference.tier': 'Calls',
  init_ms: 'Initialisation',
  memory_mb: 'Memory of the function',
  message: 'Message',
  model: 'Model',
  name: 'Name',
  output_tokens_per_call: 'Output of one call',
  output_tokens_per_entry: 'Output tokens per entry',
  overhead_ms: 'Overhead of one invocation',
  price_book: 'Price book',
  prompt_tokens: 'Instruction',
  queue_type: 'Queue',
  region: 'Region',
  requests_per_message: 'Queue requests per message',
  retry_percent: 'Retries',
  sample_percent: 'Sample of these entries',
  send_batch: 'Messages of one send',
  timestamp: 'Time',
  title: 'Title',
  to: 'To',
  window_seconds: 'Window',
};

/** The label of a field: `assumptions.function.memory_mb` is “Memory of the function”. */
export function fieldLabel(path: string): string {
  const parts = path.split('.');
  const last = parts.at(-1)?.replace(/^\[\d+\]$/, 'Entry') ?? path;
  const words = last.replaceAll('_', ' ');
  return labels[parts.slice(-2).join('.')] ?? labels[last] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const phrases: readonly (readonly [RegExp, string])[] = [
  [/must contain at least 1 items/, 'needs at least one choice'],
  [/must be at least (\d+) bytes of UTF-8/, 'must be at least $1 characters long'],
  [
    /must be at most (\d+) bytes of UTF-8/,
    'is too long: it can have $1 characters, and accented letters and emoji count as several',
  ],
  [/least number of records/, 'least number of calls'],
  [/cached prompt\b/, 'cached instruction'],
  [/must be before to\b/, 'must be before the second time'],
  [/must be false with the batch tier/, 'cannot be used with batch jobs'],
  [/must be false without prompt_tokens/, 'needs an instruction of at least one token'],
  [/must be false: /, 'is not possible: '],
  [/with a batch_size of more than 10/, 'where one invocation takes more than 10 messages'],
  [/: see `pipeline`/, ''],
  [/; (?:start|stop)(?: and stop)? it: POST \S+(?:, then \S+)?(?=\.$)/, ''],
  [/;? GET \/api\/v1\/\S+ lists them/, ''],
  [/, see details\.$/, '.'],
  [/\bScenario [\da-f]{8}-[\da-f-]{27}/, 'The scenario'],
  [/\bReport [\da-f]{8}-[\da-f-]{27}/, 'The report'],
];

/** The path of a field, or its name with an underscore, also between backticks. */
const fieldName = /`?\b(?:(?:assumptions|designs\[\d+\])(?:\.[a-z_]+(?:\[\d+\])?)+|[a-z]+(?:_[a-z]+)+)\b`?/g;

/** Text between double quotes, such as a name that people have given. */
const quoted = /("(?:[^"\\]|\\.)*")/;

/** A sentence of the API, with the labels of the page in place of the names of fields. */
export const inPageWords = (sentence: string): string =>
  sentence
    .split(quoted)
    .map((text) => (quoted.test(text) ? text : plainWords(text)))
    .join('');

function plainWords(text: string): string {
  const plain = phrases.reduce((changed, [pattern, words]) => changed.replace(pattern, words), text);
  return plain.replace(fieldName, (found) => {
    const name = found.replaceAll('`', '');
    return name.includes('.') || Object.hasOwn(labels, name) ? `“${fieldLabel(name)}”` : found;
  });
}

/** An error of an entry of a file as a sentence. @param position of the entry, from 1. */
export const entrySentence = (position: number, field: string, fault: string): string =>
  field === 'body'
    ? faultSentence(`Entry ${position}`, fault)
    : `Entry ${position}: ${faultSentence(fieldLabel(field), fault)}`;

/** An error of a field as a sentence. */
export const faultSentence = (label: string, fault: string): string => `${label} ${inPageWords(fault)}.`;

/** The same beside the field of a form, which can be empty. */
export function noteSentence(label: string, fault: string): string {
  if (fault !== 'is not allowed to be empty' && fault !== 'is required') return faultSentence(label, fault);
  const name = label.replace(/^[A-Z](?=[a-z-])/, (letter) => letter.toLowerCase());
  return `Enter ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}.`;
}
