// `npm start`: installs what is missing, compiles the service, then runs the local stack in this
// process, so that one signal stops it.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { build } = await import('./build.mjs');
await build();
// Otherwise the process of esbuild stays, with 130 MiB.
const { stop } = await import('esbuild');
await stop();
const { register } = await import('tsx/esm/api');
register();
const { runLocalStack } = await import('./local-stack/main.ts');
await runLocalStack(process.env);
