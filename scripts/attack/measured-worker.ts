import { startProbe } from './probe.ts';

startProbe(Number(process.env['ATTACK_WORKER_PROBE']));
await import('../../workers/main.ts');
