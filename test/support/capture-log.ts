import { Writable } from 'node:stream';
import winston from 'winston';
import { createLog, type Log } from '../../shared/process/log.ts';

/** A log that keeps its lines in memory instead of writing them to stdout. */
export function captureLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const log = createLog({ level: 'debug', process: 'web' }).clear();
  log.add(new winston.transports.Stream({ stream }));
  return { log, lines };
}
