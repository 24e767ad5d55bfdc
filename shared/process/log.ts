import winston from 'winston';

/** A request and a job have children of it, which add their ids to each line. */
export type Log = winston.Logger;

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
  return { timestamp: new Date().toISOString(), level, message, ...fields };
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
