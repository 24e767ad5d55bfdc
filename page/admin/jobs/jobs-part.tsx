import { useState } from 'preact/hooks';
import { formatNumber } from '../../../shared/amounts.ts';
import { changeFilter, filterOf } from '../../app/address.ts';
import type { Job, JobList } from '../../client/responses.ts';
import { Time } from '../../components/amount.tsx';
import { announce } from '../../components/announcer.tsx';
import { Question } from '../../components/dialog.tsx';
import { SelectField, withValue } from '../../components/form.tsx';
import { useSettled } from '../../components/settled.ts';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { actionsColumn, ListTable } from '../../components/table.tsx';
import { useAction } from '../../components/use-action.ts';
import { FilteredList } from '../filtered-list.tsx';
import { IdField } from '../id-field.tsx';
import { type JobFilter, retryAll, retryJob, useJobs } from './job-requests.ts';
import { dashboardOf, purposeOf, queueNames } from './queue-names.ts';

const failedJobs = { request_id: '', queue: '', state: 'failed', cursor: '' };

const change = (changes: Partial<JobFilter>) => changeFilter(failedJobs, { cursor: '', ...changes });

const stateChoices = [
  { value: 'failed', text: 'Failed' },
  { value: '', text: 'Any' },
  { value: 'active', text: 'Running' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'delayed', text: 'Waiting for a retry' },
  { value: 'completed', text: 'Completed' },
];

const queueChoices = [
  { value: '', text: 'Any' },
  ...queueNames.map((queue) => ({ value: queue, text: `${queue}: ${purposeOf(queue)}` })),
];

/** Finds jobs by the request that caused them, and retries those that have failed. */
export function JobsPart() {
  const filter = filterOf(failedJobs);
  const query = useJobs(useSettled(filter));
  return (
    <section>
      <h2>Jobs</h2>
      <p>
        A job is work that a request leaves to a worker, such as a report. One that has failed in all of its attempts
        stays here, and can be retried once its cause is gone.
      </p>
      <FilteredList
        query={query}
        what="jobs"
        fieldNames={['request_id', 'queue', 'state']}
        fields={
          <>
            <IdField
              label="Request"
              name="request_id"
              hint="The id that each response and each error names."
              value={filter.request_id}
              change={(id) => change({ request_id: id })}
            />
            <SelectField
              label="Queue"
              name="queue"
              choices={withValue(queueChoices, filter.queue)}
              value={filter.queue}
              onChange={(event) => change({ queue: event.currentTarget.value })}
            />
            <SelectField
              label="State"
              name="state"
              choices={withValue(stateChoices, filter.state)}
              value={filter.state}
              onChange={(event) => change({ state: event.currentTarget.value })}
            />
          </>
        }
        showAll={() => change({ request_id: '', queue: '', state: '' })}
      >
        {(list) => <Found list={list} filter={filter} />}
      </FilteredList>
      {queueNames.includes(filter.queue) && filter.state === 'failed' && <RetryAll queue={filter.queue} />}
    </section>
  );
}

interface FoundProps {
  readonly list: JobList;
  readonly filter: JobFilter;
}

function Found({ list: { items, scanned, next }, filter }: FoundProps) {
  return (
    <>
      {items.length === 0 ? (
        <Empty title={next === null ? noneText(filter) : 'No job found so far.'}>
          <p>
            {formatNumber(scanned)} jobs were read{next !== null && '; there are more'}.
          </p>
        </Empty>
      ) : (
        <ListTable caption="Jobs" columns={['Job', 'State', 'Why it failed', 'Last attempt', 'Request', actionsColumn]}>
          {items.map((job) => (
            <JobRow key={`${job.queue} ${job.id}`} job={job} />
          ))}
        </ListTable>
      )}
      <div class="buttons">
        {filter.cursor !== '' && (
          <button type="button" onClick={() => change({ cursor: '' })}>
            Back to the first ones
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => change({ cursor: next })}>
            Further jobs
          </button>
        )}
      </div>
    </>
  );
}

const noneText = ({ state }: JobFilter) => (state === 'failed' ? 'No failed job.' : 'No job matches.');

const stateNames: Readonly<Record<Job['state'], string>> = {
  failed: 'Failed',
  active: 'Running',
  waiting: 'Waiting',
  delayed: 'Waiting for a retry',
  completed: 'Completed',
};

function JobRow({ job }: { readonly job: Job }) {
  const { queue, id, name, state, error, attempts, finished_at: finishedAt, started_at: startedAt } = job;
  const dashboard = dashboardOf(job.dashboard_queue, id);
  const retrial = useAction(async () => {
    await retryJob(job);
    announce(`The job “${name}” is retried.`);
  });
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <span class="hint">
          <a href={dashboard}>in the queue {queue}</a>
        </span>
      </th>
      <td data-label="State">
        <span>{stateNames[state]}</span>
      </td>
      <td data-label="Why it failed">
        {error ? (
          <>
            <bdi>{error.message}</bdi>
            <span class="hint">{error.class}</span>
          </>
        ) : (
          '–'
        )}
      </td>
      <td data-label="Last attempt">
        <Time iso={finishedAt ?? startedAt} />
        <span class="hint">{attempts === 1 ? '1 attempt' : `${formatNumber(attempts)} attempts`}</span>
      </td>
      <td data-label="Request">
        <code>{job.request_id ?? '–'}</code>
      </td>
      <td class="row-actions">
        {state === 'failed' && (
          <button
            type="button"
            aria-label={`Retry: ${name}`}
            aria-disabled={retrial.isBusy}
            onClick={() => retrial.start()}
          >
            Retry
          </button>
        )}
        {retrial.error !== null && <ErrorNote error={retrial.error} />}
      </td>
    </tr>
  );
}

function RetryAll({ queue }: { readonly queue: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div class="buttons">
        <button type="button" onClick={() => setOpen(true)}>
          Retry all failed jobs of this queue
        </button>
      </div>
      {isOpen && (
        <Question
          title="Retry all failed jobs of this queue?"
          action="Retry all"
          act={async () => {
            const retried = await retryAll(queue);
            announce(`${formatNumber(retried)} jobs are retried.`);
          }}
          close={() => setOpen(false)}
        >
          <p>
            The queue <code>{queue}</code> {purposeOf(queue)}. Each of its failed jobs gets all of its attempts again.
          </p>
        </Question>
      )}
    </>
  );
}
