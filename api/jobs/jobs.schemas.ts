import type { ObjectSchema } from 'joi';
import { allQueues, type QueueName } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { type ErrorCode, statusOfCode } from '../../shared/errors.ts';
import { Joi, uuid } from '../http/joi.ts';
import type { RetryPosition } from './job-retry.ts';
import { type JobPosition, type JobState, jobLists, jobStates, stateOfList } from './job-search.ts';

interface JobListQuery {
  queue?: QueueName;
  state?: JobState;
  request_id?: string;
  scenario_id?: string;
  error_class?: ErrorCode;
  limit: number;
  cursor?: JobPosition;
}

interface JobRetry {
  error_class?: ErrorCode;
  cursor?: RetryPosition;
}

const queueNames = Object.keys(allQueues) as QueueName[];
const queue = () => Joi.string().valid(...queueNames);
const errorClass = () =>
  Joi.string()
    .valid(...Object.keys(statusOfCode))
    .description('The error code with which the last attempt failed.');

/** A cursor: groups of the pattern, converted by `read`. */
const cursor = (pattern: RegExp, read: (groups: Record<string, string>) => object) =>
  Joi.string()
    .custom((text: string, helpers) => {
      const groups = pattern.exec(text)?.groups;
      return groups ? read(groups) : helpers.error('cursor.form');
    })
    .messages({ 'cursor.form': 'must be `next` of the response before' })
    .description('Continues: `next` of the response before, with the same parameters.');

const listPosition = new RegExp(
  `^(?<queue>${queueNames.join('|')}):(?<list>${jobLists.join('|')}):(?<index>\\d{1,9})$`,
);
const retryPosition = /^(?<before>\d{1,15}):(?<index>\d{1,9})$/;

export function jobList({ pageSize }: Pick<Config, 'pageSize'>): ObjectSchema<JobListQuery> {
  return Joi.object<JobListQuery>({
    queue: queue(),
    state: Joi.string().valid(...jobStates),
    request_id: uuid().description('Jobs that this request caused.'),
    scenario_id: uuid().description('Jobs of this scenario.'),
    error_class: errorClass(),
    limit: Joi.number()
      .integer()
      .min(1)
      .max(pageSize.max)
      .default(pageSize.default)
      .description('The most jobs of a page.'),
    cursor: cursor(listPosition, ({ index, ...position }) => ({ ...position, index: Number(index) })),
  })
    .custom((query: JobListQuery, helpers) => {
      const { queue: inQueue, state, cursor: at } = query;
      const isOther =
        at && ((inQueue ?? at.queue) !== at.queue || (state ?? stateOfList(at.list)) !== stateOfList(at.list));
      return isOther ? helpers.error('cursor.search', {}, helpers.state.localize?.(['cursor'])) : query;
    })
    .messages({ 'cursor.search': 'is of another search' });
}

export const jobPath = Joi.object<{ queue: QueueName; id: string }>({
  queue: queue().required(),
  id: Joi.string()
    .pattern(/^[\w-]{1,200}$/)
    .messages({ 'string.pattern.base': 'must be the id of a job' })
    .required(),
});

export const queuePath = Joi.object<{ queue: QueueName }>({ queue: queue().required() });

export const jobRetry = Joi.object<JobRetry>({
  error_class: errorClass().description(
    'Retries only jobs that failed with this error code. Default: all failed jobs.',
  ),
  cursor: cursor(retryPosition, ({ before, index }) => ({ before: Number(before), index: Number(index) })),
});
