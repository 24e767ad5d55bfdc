import { accountFloods } from './account-floods.ts';
import { bodyFloods } from './body-floods.ts';
import type { Flood } from './flood.ts';
import { reportFloods } from './report-floods.ts';

/** Every flood; a group of them is a line. */
export const floods = (): Flood[] => [...bodyFloods(), ...accountFloods(), ...reportFloods()];
