import { Writable } from 'node:stream';
import winston from 'winston';
import type { Log } from '../../shared/process/log.ts';

/** A log that keeps its lines in memory, each a JSON object. */
export function captureLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const log = winston.createLogger({ level: 'debug', transports: [new winston.transports.Stream({ stream })] });
  return { log, lines };
}
