import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes } from '../../shared/amounts.ts';
import { linkTo } from '../app/address.ts';
import type { Scenario } from '../client/responses.ts';
import { Question } from '../components/dialog.tsx';
import { CheckField, SelectField } from '../components/form.tsx';
import { ErrorNote } from '../components/states.tsx';
import { localZone } from '../format/times.ts';
import type { TextOptions } from './log-upload.ts';
import { countsOf, resumeUpload, type Sending, sendFile, stopUpload, timesOf, uploadOf, wasSent } from './uploads.ts';

/** Sends a log file that is dropped or chosen, with a progress bar. */
export function FileDrop({ scenario }: { readonly scenario: Scenario }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [joinsTraces, setJoinsTraces] = useState(true);
  const [zone, setZone] = useState('UTC');
  const [fileError, setFileError] = useState<unknown>(null);
  const [repeated, setRepeated] = useState<File | null>(null);
  const sending = uploadOf(scenario.id);
  usePreventedDrops();

  async function take(files: FileList | null | undefined): Promise<void> {
    const file = files?.[0];
    if (!file) return;
    setFileError(null);
    try {
      if (files.length > 1) throw new Error(`${files.length} files were dropped. Drop one file at a time.`);
      if (wasSent(file, scenario.id)) setRepeated(file);
      else await start(file);
    } catch (error) {
      setFileError(error);
    }
  }

  const start = (file: File) => sendFile(file, scenario.id, { joinsTraces, zone });

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
          if (!isDisabled) void take(event.dataTransfer?.files);
        }}
      >
        <p>
          Drop a file here, or choose one. Each line of text, and each JSON object of a line or of an array, becomes an
          entry. It can be compressed (.gz).
        </p>
        <input
          ref={input}
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            void take(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
        <button type="button" disabled={isDisabled} onClick={() => input.current?.click()}>
          Choose a file
        </button>
      </div>
      <TextFields {...{ joinsTraces, setJoinsTraces, zone, setZone }} />
      {fileError !== null && <ErrorNote error={fileError} />}
      {repeated && (
        <Question
          title="Send this file again?"
          action="Send it again"
          act={async () => void start(repeated).catch(setFileError)}
          close={() => setRepeated(null)}
        >
          <p>
            <bdi>{repeated.name}</bdi>, or a file of the same name and size, was sent to this scenario. Sent again, its
            entries count twice.
          </p>
        </Question>
      )}
      {sending && (
        <SendingState
          sending={sending}
          scenarioId={scenario.id}
          stop={() => stopUpload(scenario.id)}
          resume={() => void resumeUpload(scenario.id)}
        />
      )}
    </section>
  );
}

interface TextFieldsProps extends TextOptions {
  readonly setJoinsTraces: (joinsTraces: boolean) => void;
  readonly setZone: (zone: string) => void;
}

/** How lines of text are read. */
function TextFields({ joinsTraces, setJoinsTraces, zone, setZone }: TextFieldsProps) {
  return (
    <div class="text-fields">
      <CheckField
        label="Count a message of several lines, such as a stack trace, as one entry"
        name="join"
        checked={joinsTraces}
        onChange={(event) => setJoinsTraces(event.currentTarget.checked)}
      />
      <SelectField
        label="Time zone of the lines"
        name="zone"
        hint="For times in lines of text that name no zone."
        choices={zones}
        value={zone}
        onChange={(event) => setZone(event.currentTarget.value)}
      />
    </div>
  );
}

/** UTC, the person's zone, and all others. */
const zones = [...new Set(['UTC', localZone, ...Intl.supportedValuesOf('timeZone')])].map((name) => ({
  value: name,
  text: name === localZone && name !== 'UTC' ? `${name} (yours)` : name,
}));

/** Beside the place for it, the browser would open a dropped file in place of the page. */
function usePreventedDrops(): void {
  useEffect(() => {
    const prevent = (event: DragEvent) => event.preventDefault();
    addEventListener('dragover', prevent);
    addEventListener('drop', prevent);
    return () => {
      removeEventListener('dragover', prevent);
      removeEventListener('drop', prevent);
    };
  }, []);
}

interface SendingStateProps {
  readonly sending: Sending;
  readonly scenarioId: string;
  readonly stop: () => void;
  readonly resume: () => void;
}

function SendingState({ sending: { upload, progress, state, error }, scenarioId, stop, resume }: SendingStateProps) {
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
      {timesOf(progress) !== '' && <p data-testid="upload-times">{timesOf(progress)}</p>}
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
      {state === 'done' && (
        <p class="done">
          Everything is sent. The totals above move as it is processed. See{' '}
          <a href={linkTo(`/scenarios/${scenarioId}`)}>what it costs</a>, and{' '}
          <a href={linkTo(`/scenarios/${scenarioId}/design`)}>which design is the cheapest</a>.
        </p>
      )}
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

function whyDisabled({ status }: Scenario): string {
  return status === 'draft'
    ? 'Start the scenario first: only a running one takes entries.'
    : 'This scenario takes no more entries.';
}
