import { effect, signal } from '@preact/signals';
import { formatNumber } from '../../shared/amounts.ts';
import { accountId } from '../client/session.ts';
import { announce } from '../components/announcer.tsx';
import { openUpload, type TextOptions, type Upload, type UploadProgress } from './log-upload.ts';

export interface Sending {
  readonly scenarioId: string;
  readonly upload: Upload;
  readonly progress: UploadProgress | null;
  readonly state: 'sending' | 'stopped' | 'failed' | 'done';
  readonly error: unknown;
}

/** The newest upload, so that it goes on while another part of its scenario is shown. */
const newest = signal<Sending | null>(null);

/** Ends the upload in progress. */
let running: AbortController | null = null;

export const uploadOf = (scenarioId: string): Sending | null =>
  newest.value?.scenarioId === scenarioId ? newest.value : null;

/** Files that this page has sent. */
const sent = new Set<string>();
const sentName = ({ name, size }: File, scenarioId: string) => `${scenarioId} ${size} ${name}`;

/** Whether a file of this name and size was sent to the scenario: its entries would count twice. */
export const wasSent = (file: File, scenarioId: string): boolean => sent.has(sentName(file, scenarioId));

/**
 * Sends a file, until its end or an error, which the upload then has.
 * @throws Error for a file that cannot be sent.
 */
export async function sendFile(file: File, scenarioId: string, options: TextOptions): Promise<void> {
  if (running) throw new Error(`${file.name} is not sent: another file is being sent.`);
  await run(async () => {
    const upload = await openUpload(file, scenarioId, options);
    sent.add(sentName(file, scenarioId));
    return { scenarioId, upload, progress: null, state: 'sending', error: null };
  });
}

/** Continues an upload that was stopped or has failed. */
export async function resumeUpload(sending: Sending): Promise<void> {
  if (!running) await run(async () => sending);
}

/** It can be continued later. */
export function stopUpload(): void {
  running?.abort();
}

async function run(open: () => Promise<Sending>): Promise<void> {
  const controller = new AbortController();
  running = controller;
  const { signal: stopped } = controller;
  try {
    let current: Sending = { ...(await open()), state: 'sending', error: null };
    const { upload } = current;
    const show = (changes: Partial<Sending>) => {
      current = { ...current, ...changes };
      // Nothing is shown to the next account.
      if (running === controller) newest.value = current;
    };
    show({});
    announce(`Sending ${upload.name}.`);
    try {
      await upload.run(stopped, (progress) => show({ progress }));
      show({ state: 'done' });
      announce([`${upload.name} is sent: ${countsOf(current.progress)}.`, timesOf(current.progress)].join(' '));
    } catch (error) {
      show(stopped.aborted ? { state: 'stopped' } : { state: 'failed', error });
    }
  } finally {
    if (running === controller) running = null;
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
  stopUpload();
  running = null;
  newest.value = null;
});

/** The browser asks before it closes the page while a file is being sent. */
effect(() => {
  if (newest.value?.state !== 'sending') return undefined;
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
});
