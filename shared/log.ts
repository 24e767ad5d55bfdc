import { AsyncLocalStorage } from 'node:async_hooks';
import winston from 'winston';

/** Fields that stand in every line written while a request or a job is being handled. */
export interface LogContext {
  request_id?: string;
  job_id?: string;
  queue?: string;
}

export type Log = winston.Logger;

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that every log line written inside carries `fields`. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run(fields, work);
}

/** An error as plain fields. Causes are followed; nothing but name, message, code and stack is taken. */
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

const addContext = winston.format((info) => Object.assign(info, context.getStore()));

/** A logger that writes one JSON object a line to stdout: timestamp, level, process, message and fields. */
export function createLog(options: { level: string; process: 'web' | 'worker'; silent?: boolean }): Log {
  return winston.createLogger({
    level: options.level,
    defaultMeta: { process: options.process },
    format: winston.format.combine(addContext(), winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Console()],
    silent: options.silent ?? false,
  });
}
