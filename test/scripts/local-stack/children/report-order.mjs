// A service that writes `<name> start` to the journal and, on SIGTERM, writes `<name> stop` and
// exits. Arguments: name, and journal. The name `ignore-sigterm` keeps running on SIGTERM.
import { appendFileSync } from 'node:fs';

const [name, journal] = process.argv.slice(2);
process.on('SIGTERM', () => {
  if (name === 'ignore-sigterm') return;
  appendFileSync(journal, `${name} stop\n`);
  process.exit(0);
});
// After the handler, because a reader of this line can send the signal at once.
appendFileSync(journal, `${name} start\n`);
setInterval(() => {}, 60_000);
