// A small service: writes `<name> start` and, at SIGTERM, `<name> stop` to the journal, and lives until then.
// Arguments: name, journal, and `stubborn` to ignore SIGTERM.
import { appendFileSync } from 'node:fs';

const [name, journal, manner] = process.argv.slice(2);
process.on('SIGTERM', () => {
  if (manner === 'stubborn') return;
  appendFileSync(journal, `${name} stop\n`);
  process.exit(0);
});
// After the handler: whoever reads this line may send the signal at once.
appendFileSync(journal, `${name} start\n`);
setInterval(() => {}, 60_000);
