import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { queryClient, read, write } from '../../client/api.ts';
import type { Job, JobList, JobRetryResult } from '../../client/responses.ts';

const path = '/api/v1/jobs';

const jobsPerPage = 20;

/** A type, because an interface is no `Record`. */
export type JobFilter = {
  readonly request_id: string;
  readonly queue: string;
  readonly state: string;
  /** Where the page begins; empty for the first one. */
  readonly cursor: string;
};

export const useJobs = (filter: JobFilter) =>
  useQuery({
    queryKey: ['jobs', filter],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read<JobList>(path, { ...filter, limit: jobsPerPage }, signal),
  });

export async function retryJob({ queue, id }: Job): Promise<void> {
  await write('POST', `${path}/${queue}/${id}/retry`);
  await refreshJobs();
}

/**
 * Retries all failed jobs of a queue, portion by portion. Jobs that fail again in the process are
 * not retried twice. @returns their number.
 */
export async function retryAll(queue: string): Promise<number> {
  let retried = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const result: JobRetryResult = await write('POST', `${path}/${queue}/retry`, cursor === '' ? {} : { cursor });
    retried += result.retried;
    cursor = result.next;
  }
  await refreshJobs();
  return retried;
}

async function refreshJobs(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['jobs'] }),
    queryClient.invalidateQueries({ queryKey: ['queues'] }),
  ]);
}
