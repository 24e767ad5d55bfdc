import { minute } from '../../shared/durations.ts';

/** Limits a sweep to what one query reads; the next sweep continues. */
export const maxPerSweep = 1_000;

/** Selects what is older than adding its job takes, so that a sweep finds only what was lost. */
export const isLate = () => ({ $lt: new Date(Date.now() - minute) });
