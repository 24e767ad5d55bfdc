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

  function take(files: FileList | null | undefined): void {
    const file = files?.[0];
    if (!file) return;
    if (files.length > 1) setFileError(new Error(`${files.length} files were dropped. Drop one file at a time.`));
    else if (wasSent(file, scenario.id)) setRepeated(file);
    else void send(file);
  }
  async function send(file: File): Promise<void> {
    setFileError(null);
    await sendFile(file, scenario.id, { joinsTraces, zone }).catch(setFileError);
  }

  const isDisabled = scenario.status !== 'running';
  return (
    <section>
      <h2>Drop a log file</h2>
      {isDisabled && (
        <p class="hint">
          {scenario.status === 'draft'
            ? 'Start the scenario first: only a running one takes entries.'
            : 'This scenario takes no more entries.'}
        </p>
      )}
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
          if (!isDisabled) take(event.dataTransfer?.files);
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
            take(event.currentTarget.files);
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
          act={async () => void send(repeated)}
          close={() => setRepeated(null)}
        >
          <p>
            A file with the name and size of <bdi>{repeated.name}</bdi> was sent to this scenario. Sent again, its
            entries count twice.
          </p>
        </Question>
      )}
      {sending && <SendingState sending={sending} />}
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
        choose={setZone}
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

function SendingState({ sending }: { readonly sending: Sending }) {
  const { scenarioId, upload, progress, state, error } = sending;
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
          Everything is sent. See <a href={linkTo(`/scenarios/${scenarioId}`)}>what it costs</a>, and{' '}
          <a href={linkTo(`/scenarios/${scenarioId}/design`)}>which design is the cheapest</a>.
        </p>
      )}
      {state === 'failed' && <ErrorNote error={error} />}
      <div class="buttons">
        {state === 'sending' && (
          <button type="button" onClick={stopUpload}>
            Stop sending
          </button>
        )}
        {(state === 'stopped' || state === 'failed') && (
          <button type="button" onClick={() => void resumeUpload(sending)}>
            Continue
          </button>
        )}
      </div>
    </div>
  );
}
