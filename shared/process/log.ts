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

/** How long lines wait for others, in milliseconds. */
const writeDelay = 50;
let lines = '';

/**
 * Writes the lines of a moment to stdout together: a write takes longer than all else that a line
 * costs. Lines of other levels than `info` are written at once.
 */
function writeLine(info: winston.LogEntry, next: () => void): void {
  if (lines === '') setTimeout(flushLines, writeDelay).unref();
  lines += `${info[Symbol.for('message') as never]}\n`;
  if (info.level !== 'info') flushLines();
  next();
}

function flushLines(): void {
  if (lines !== '') process.stdout.write(lines);
  lines = '';
}

process.once('exit', flushLines);

/**
 * Creates a logger that writes one JSON object per line to stdout: timestamp, level, message, ids
 * of the request or job, process and other fields.
 */
export function createLog(options: { level: string; process: 'web' | 'worker'; silent?: boolean }): Log {
  return winston.createLogger({
    level: options.level,
    defaultMeta: { process: options.process },
    format: winston.format.combine(orderFields(), winston.format.json({ deterministic: false })),
    transports: [Object.assign(new winston.transports.Console(), { log: writeLine })],
    silent: options.silent ?? false,
  });
}
