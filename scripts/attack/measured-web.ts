import { startProbe } from './probe.ts';

startProbe(Number(process.env['ATTACK_WEB_PROBE']));
await import('../../api/main.ts');
