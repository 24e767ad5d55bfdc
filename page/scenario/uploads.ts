import { effect, signal } from '@preact/signals';
import { formatNumber } from '../../shared/amounts.ts';
import { accountId } from '../client/session.ts';
import { announce } from '../components/announcer.tsx';
import { openUpload, type TextOptions, type Upload, type UploadProgress } from './log-upload.ts';

export interface Sending {
  readonly upload: Upload;
  readonly progress: UploadProgress | null;
  readonly state: 'sending' | 'stopped' | 'failed' | 'done';
  readonly error: unknown;
}

/**
 * The newest upload of each scenario, so that it goes on while another part of the scenario is
 * shown.
 */
const uploads = signal<ReadonlyMap<string, Sending>>(new Map());

/** Names and sizes of the files that this page has sent, at least in part, by scenario. */
const sent = new Map<string, Set<string>>();

const nameAndSize = (name: string, size: number) => `${size} ${name}`;

/** Whether a file of this name and size was sent to the scenario: its entries would count twice. */
export const wasSent = (file: File, scenarioId: string): boolean =>
  sent.get(scenarioId)?.has(nameAndSize(file.name, file.size)) ?? false;

function markSent({ name, totalBytes }: Upload, scenarioId: string): void {
  sent.set(scenarioId, new Set(sent.get(scenarioId)).add(nameAndSize(name, totalBytes)));
}

/** The uploads in progress, by scenario. */
const running = new Map<string, AbortController>();

export const uploadOf = (scenarioId: string): Sending | null => uploads.value.get(scenarioId) ?? null;

/**
 * Sends a file, until its end or an error, which the upload then has.
 * @throws Error for a file that cannot be sent.
 */
export async function sendFile(file: File, scenarioId: string, options: TextOptions): Promise<void> {
  if (running.has(scenarioId)) throw new Error(`${file.name} is not sent: another file is being sent.`);
  await runAlone(scenarioId, async () => {
    const upload = await openUpload(file, scenarioId, options);
    return { upload, progress: null, state: 'sending', error: null };
  });
}

/** Continues an upload that was stopped or has failed. */
export async function resumeUpload(scenarioId: string): Promise<void> {
  const sending = uploadOf(scenarioId);
  if (sending && !running.has(scenarioId)) await runAlone(scenarioId, async () => sending);
}

async function runAlone(scenarioId: string, open: () => Promise<Sending>): Promise<void> {
  const controller = new AbortController();
  running.set(scenarioId, controller);
  try {
    await run(await open(), scenarioId, controller);
  } finally {
    if (running.get(scenarioId) === controller) running.delete(scenarioId);
  }
}

/** It can be continued later. */
export function stopUpload(scenarioId: string): void {
  running.get(scenarioId)?.abort();
}

async function run(start: Sending, scenarioId: string, controller: AbortController): Promise<void> {
  const { signal: stopped } = controller;
  let current: Sending = { ...start, state: 'sending', error: null };
  const show = (changes: Partial<Sending>) => {
    current = { ...current, ...changes };
    // Nothing is shown to the next account.
    if (running.get(scenarioId) !== controller) return;
    uploads.value = new Map(uploads.value).set(scenarioId, current);
    const { progress, upload } = current;
    // A request that was stopped can have arrived, unless it was refused or found no service.
    if (progress?.sentBytes || (current.state === 'stopped' && !progress?.isWaiting)) markSent(upload, scenarioId);
  };
  show({});
  announce(`Sending ${current.upload.name}.`);
  try {
    await current.upload.run(stopped, (progress) => show({ progress }));
    show({ state: 'done' });
    announce([`${current.upload.name} is sent: ${countsOf(current.progress)}.`, timesOf(current.progress)].join(' '));
  } catch (error) {
    show(stopped.aborted ? { state: 'stopped' } : { state: 'failed', error });
  }
}

export function countsOf(progress: UploadProgress | null): string {
  const { accepted, rejected, skipped } = progress ?? { accepted: 0, rejected: 0, skipped: 0 };
  return [
    `${formatNumber(accepted)} accepted`,
    `${formatNumber(rejected)} rejected`,
    ...(skipped > 0 ? [`${formatNumber(skipped)} empty`] : []),
  ].join(', ');
}

/** Says how many lines of text have a time of their own; empty for other files. */
export function timesOf(progress: UploadProgress | null): string {
  if (!progress || progress.timed === null || progress.accepted === 0) return '';
  const { timed, accepted } = progress;
  if (timed === 0) return 'No entry has a time of its own: all count at the time of arrival.';
  if (timed === accepted) return `All ${formatNumber(accepted)} entries have a time of their own.`;
  return `${formatNumber(timed)} of ${formatNumber(accepted)} entries have a time of their own; the others have that of the entry before them, or of arrival.`;
}

/** The files of one account are never sent for another. */
accountId.subscribe(() => {
  for (const controller of running.values()) controller.abort();
  running.clear();
  sent.clear();
  uploads.value = new Map();
});

/** The browser asks before it closes the page while a file is being sent. */
effect(() => {
  if (![...uploads.value.values()].some(({ state }) => state === 'sending')) return undefined;
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
});
