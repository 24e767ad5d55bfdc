import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../../shared/amounts.ts';
import { read } from '../../client/api.ts';
import { ApiError } from '../../client/api-error.ts';
import type { QueueList, Readiness } from '../../client/responses.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { ListTable, numberColumn } from '../../components/table.tsx';
import { formatAge } from '../../format/ages.ts';
import { dashboardOf, purposeOf } from '../jobs/queue-names.ts';

/** In ms. */
const readEvery = 5_000;

type States = Pick<Readiness, 'checks' | 'workers'>;

/** A 503 has the states too: it names the parts that are down. */
async function readReadiness(signal: AbortSignal): Promise<States> {
  try {
    return await read<Readiness>('/health/ready', {}, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 503 && hasStates(error.body)) return error.body;
    throw error;
  }
}

const hasStates = (body: unknown): body is States => typeof body === 'object' && body !== null && 'checks' in body;

/** Whether the parts of the service respond, and what its queues have to do. */
export function HealthPart() {
  const readiness = useQuery({
    queryKey: ['readiness'],
    refetchInterval: readEvery,
    retry: false,
    queryFn: ({ signal }) => readReadiness(signal),
  });
  // States that could not be read again can be wrong by now.
  const states = readiness.error ? { ...readiness, data: undefined } : readiness;
  const queues = useQuery({
    queryKey: ['queues'],
    refetchInterval: readEvery,
    queryFn: ({ signal }) => read<QueueList>('/api/v1/queues', {}, signal),
  });
  return (
    <>
      <section>
        <h2>Parts</h2>
        <Loaded query={states} what="the state of the parts">
          {({ checks }) => <Parts checks={checks} />}
        </Loaded>
      </section>
      <section>
        <h2>Workers</h2>
        <p class="hint">Processes that do what requests leave to them, such as counting entries and making reports.</p>
        <Loaded query={states} what="the workers">
          {({ workers }) => <Workers workers={workers} />}
        </Loaded>
      </section>
      <section>
        <h2>Queues</h2>
        <p class="hint">
          Work waits in a queue until a worker is free; later is what waits for a retry or for its time. Each name leads
          to the page of operators for it, which asks for credentials of its own.
        </p>
        <Loaded query={queues} what="the queues">
          {({ items }) => <QueueTable items={items} />}
        </Loaded>
      </section>
    </>
  );
}

const partNames: Readonly<Record<keyof Readiness['checks'], readonly [string, ComponentChildren]>> = {
  mongodb: ['Database', 'MongoDB has all that is stored.'],
  indexes: [
    'Indexes',
    <>
      While one is missing, workers take no jobs, two accounts can get one address, a job can count twice, and reads are
      slow. <code>npm run migrate</code> creates them.
    </>,
  ],
  backlog: ['Backlog', 'There is room for log entries that wait for a worker.'],
  redis: ['Redis', 'It has the queues, the limits and the caches, and must accept writes.'],
  worker: ['Workers', 'At least one runs and reaches the database.'],
  queues: ['Progress', 'Every queue with work makes progress.'],
  notebook_backend: ['Notebook backend', 'The server that has the notebooks responds.'],
};

function Parts({ checks }: Pick<Readiness, 'checks'>) {
  return (
    <ListTable caption="Parts of the service" columns={['Part', 'State']}>
      {Object.entries(partNames).map(([part, [name, explanation]]) => (
        <tr key={part}>
          <th scope="row">
            {name}
            <span class="hint">{explanation}</span>
          </th>
          <td data-label="State">
            <State isUp={checks[part as keyof typeof checks] === 'up'} />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

const State = ({ isUp }: { readonly isUp: boolean }) => (
  <span class={`badge ${isUp ? 'good' : 'bad'}`}>{isUp ? 'Up' : 'Down'}</span>
);

const workerStates = {
  up: 'Up',
  stuck: 'Its jobs make no progress',
  silent: 'Sends no sign of life: it is frozen, or was killed',
} as const;

function Workers({ workers }: Pick<Readiness, 'workers'>) {
  if (workers.length === 0) return <Empty title="No worker runs: nothing is counted, and no report is made." />;
  return (
    <ListTable caption="Workers" columns={['Worker', 'State', 'Reaches the database', 'Queues without progress']}>
      {workers.map(({ id, state, mongodb, queues }) => {
        const stalled = queues.filter(({ stalled_ms: ms }) => ms > 0);
        return (
          <tr key={id}>
            <th scope="row">
              <code>{id.slice(0, 8)}</code>
            </th>
            <td data-label="State">
              <span class={`badge ${state === 'up' ? 'good' : 'bad'}`}>{workerStates[state]}</span>
            </td>
            <td data-label="Reaches the database">{mongodb === 'up' ? 'Yes' : 'No'}</td>
            <td data-label="Queues without progress">
              {stalled.length === 0
                ? 'None'
                : stalled.map(({ name, stalled_ms: ms }) => `${name} for ${formatAge(ms)}`).join(', ')}
            </td>
          </tr>
        );
      })}
    </ListTable>
  );
}

function QueueTable({ items }: QueueList) {
  return (
    <ListTable
      caption="Queues"
      columns={['Queue', ...['Waiting', 'Running', 'Later', 'Failed'].map(numberColumn), 'Oldest job']}
    >
      {items.map(({ name, waiting, active, delayed, failed, oldest_added_at: oldest }) => (
        <tr key={name}>
          <th scope="row">
            <a href={dashboardOf(name)}>{name}</a>
            <span class="hint">{purposeOf(name)}</span>
          </th>
          {(
            [
              ['Waiting', waiting],
              ['Running', active],
              ['Later', delayed],
            ] as const
          ).map(([label, value]) => (
            <td key={label} data-label={label} class="number">
              {formatNumber(value)}
            </td>
          ))}
          <td data-label="Failed" class="number">
            {failed === 0 ? '0' : <a href={`#/admin/jobs?queue=${encodeURIComponent(name)}`}>{formatNumber(failed)}</a>}
          </td>
          <td data-label="Oldest job">
            {oldest === null ? 'None' : `added ${formatAge(Date.now() - Date.parse(oldest))} ago`}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
