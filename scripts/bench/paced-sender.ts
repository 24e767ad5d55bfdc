// Sends batches of log entries at a fixed rate until it is stopped. It is run by `withPacedLoad`,
// in a process of its own so that it does not delay the measured requests, and reports over IPC how
// many lines got their responses.
import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import type { PacedLoad } from './with-paced-load.ts';

const preparedBatches = 60;
const firstSeed = 20_261_123;
/** A service that falls behind gets no more. The rate that is reported shows it. */
const maxInFlight = 16;

process.once('message', ({ url, scenarioId, linesPerSecond, linesPerBatch }: PacedLoad) => {
  const bodies = Array.from({ length: preparedBatches }, (_, at) =>
    JSON.stringify(generateDayOfLogLines(firstSeed + at, linesPerBatch).map((message) => ({ message }))),
  );
  const headers = { 'Content-Type': 'application/json', 'X-Scenario-ID': scenarioId };
  const started = performance.now();
  let sent = 0;
  let inFlight = 0;
  let lines = 0;
  const send = async () => {
    const body = bodies[sent % bodies.length] ?? '';
    sent += 1;
    if (inFlight === maxInFlight) return;
    inFlight += 1;
    try {
      const response = await fetch(`${url}/ingest`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      if (response.ok) lines += linesPerBatch;
    } finally {
      inFlight -= 1;
    }
  };
  setInterval(() => void send(), (1000 * linesPerBatch) / linesPerSecond);
  process.send?.('started');
  process.once('message', () => {
    process.send?.((lines * 1000) / (performance.now() - started));
    process.disconnect();
  });
});
process.on('disconnect', () => process.exit());
