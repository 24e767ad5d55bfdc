// `npm run purge`: removes what is past its end, on the servers of the environment or of the local
// stack.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { stackEnvironment } = await import('./local-stack/settings.ts');
try {
  Object.assign(process.env, await stackEnvironment(process.env));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await import('../workers/purge/main.ts');
