import { startProbe } from './probe.ts';

startProbe(Number(process.env['ATTACK_WEB_PROBE']));
// As it runs in production: the loader of TypeScript adds code that takes a quarter more CPU time.
await import(new URL('../../dist/api/main.js', import.meta.url).href);
