import { useEffect, useRef, useState } from 'preact/hooks';
import type { Scenario } from '../client/answers.ts';
import { announce } from '../components/announcer.tsx';
import { ErrorNote } from '../components/states.tsx';
import { formatBytes, formatNumber } from '../format/amounts.ts';
import { openUpload, type Upload, type UploadProgress } from './log-upload.ts';

interface Sending {
  readonly upload: Upload;
  readonly progress: UploadProgress | null;
  readonly state: 'sending' | 'stopped' | 'failed' | 'done';
  readonly error: unknown;
}

/** Sends a log file that is dropped or chosen, with a progress bar. */
export function FileDrop({ scenario }: { readonly scenario: Scenario }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [sending, setSending] = useState<Sending | null>(null);
  const [fileError, setFileError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  // The file is not sent on when the person leaves the scenario.
  useEffect(() => () => abort.current?.abort(), []);

  async function take(file: File | undefined): Promise<void> {
    if (!file || sending?.state === 'sending') return;
    setFileError(null);
    try {
      const upload = await openUpload(file, scenario.id);
      await run({ upload, progress: null, state: 'sending', error: null });
    } catch (error) {
      setFileError(error);
    }
  }

  async function run(start: Sending): Promise<void> {
    let current: Sending = { ...start, state: 'sending', error: null };
    const show = (changes: Partial<Sending>) => {
      current = { ...current, ...changes };
      setSending(current);
    };
    abort.current = new AbortController();
    const { signal } = abort.current;
    show({});
    announce(`Sending ${current.upload.name}.`);
    try {
      await current.upload.run(signal, (progress) => show({ progress }));
      show({ state: 'done' });
      announce(`${current.upload.name} is sent: ${countsOf(current.progress)}.`);
    } catch (error) {
      show(signal.aborted ? { state: 'stopped' } : { state: 'failed', error });
    }
  }

  const isDisabled = scenario.status !== 'running';
  return (
    <section>
      <h2>Drop a log file</h2>
      {isDisabled && <p class="hint">{whyDisabled(scenario)}</p>}
      <div
        class={`drop ${isOver ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(!isDisabled);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (!isDisabled) void take(event.dataTransfer?.files[0]);
        }}
      >
        <p>
          Drop a file here, or choose one: lines of text, one JSON object a line, or a JSON array; also compressed
          (.gz).
        </p>
        <input
          ref={input}
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        <button type="button" disabled={isDisabled} onClick={() => input.current?.click()}>
          Choose a file
        </button>
      </div>
      {fileError !== null && <ErrorNote error={fileError} />}
      {sending && (
        <SendingState sending={sending} stop={() => abort.current?.abort()} resume={() => void run(sending)} />
      )}
    </section>
  );
}

interface SendingStateProps {
  readonly sending: Sending;
  readonly stop: () => void;
  readonly resume: () => void;
}

function SendingState({ sending: { upload, progress, state, error }, stop, resume }: SendingStateProps) {
  const sent = progress?.sentBytes ?? 0;
  const percent = upload.totalBytes === 0 ? 100 : Math.floor((sent / upload.totalBytes) * 100);
  return (
    <div class="sending" data-state={state}>
      <p>
        <bdi>{upload.name}</bdi>: {formatBytes(sent)} of {formatBytes(upload.totalBytes)}
        {progress?.isWaiting && ' · waiting for Meterbook to take more'}
      </p>
      <progress max={100} value={percent} aria-label={`Progress of ${upload.name}`}>
        {percent} %
      </progress>
      <p data-testid="upload-counts">{countsOf(progress)}</p>
      {progress && progress.errors.length > 0 && (
        <details>
          <summary>Why entries were rejected</summary>
          <ul>
            {progress.errors.map((message, index) => (
              <li key={index}>{message}</li>
            ))}
          </ul>
        </details>
      )}
      {state === 'done' && <p class="done">Everything is sent. The totals above move as it is processed.</p>}
      {state === 'failed' && <ErrorNote error={error} />}
      <div class="buttons">
        {state === 'sending' && (
          <button type="button" onClick={stop}>
            Stop sending
          </button>
        )}
        {(state === 'stopped' || state === 'failed') && (
          <button type="button" onClick={resume}>
            Continue
          </button>
        )}
      </div>
    </div>
  );
}

function countsOf(progress: UploadProgress | null): string {
  const { accepted, rejected, skipped } = progress ?? { accepted: 0, rejected: 0, skipped: 0 };
  return [
    `${formatNumber(accepted)} accepted`,
    `${formatNumber(rejected)} rejected`,
    ...(skipped > 0 ? [`${formatNumber(skipped)} empty`] : []),
  ].join(', ');
}

function whyDisabled({ status }: Scenario): string {
  return status === 'draft'
    ? 'Start the scenario first: only a running one takes entries.'
    : 'This scenario takes no more entries.';
}
