import { AsyncLocalStorage } from 'node:async_hooks';
import winston from 'winston';

/** Fields of every line that is logged while a request or a job is processed. */
interface LogContext {
  request_id?: string;
  job_id?: string;
  queue?: string;
}

export type Log = winston.Logger;

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work` and adds `fields` to every line that it logs. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run(fields, work);
}

/**
 * The name, message, code and stack of an error and of its causes. Other properties are left out,
 * because they can contain data of requests.
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: { message: String(error) } };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    error: {
      name,
      message,
      ...(code === undefined ? {} : { code }),
      stack,
      ...(cause === undefined ? {} : { cause: errorFields(cause).error }),
    },
  };
}

/** Lines of all kinds begin alike, so that people can read them in columns. */
const orderFields = winston.format(({ level, message, ...fields }) => {
  return { timestamp: new Date().toISOString(), level, message, ...context.getStore(), ...fields };
});

/**
 * Creates a logger that writes one JSON object per line to stdout: timestamp, level, message, ids
 * of the request or job, process and other fields.
 */
export function createLog(options: { level: string; process: 'web' | 'worker'; silent?: boolean }): Log {
  return winston.createLogger({
    level: options.level,
    defaultMeta: { process: options.process },
    format: winston.format.combine(orderFields(), winston.format.json({ deterministic: false })),
    transports: [new winston.transports.Console()],
    silent: options.silent ?? false,
  });
}
