// `npm run shippers`: log shippers and loggers send to a stack of its own, which is restarted while
// they do.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { register } = await import('tsx/esm/api');
register();
const { runShippers } = await import('./shippers/main.ts');
await runShippers(process.argv.slice(2));
