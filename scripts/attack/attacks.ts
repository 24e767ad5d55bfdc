import type { Attack } from './attack.ts';
import { ingestShapes } from './ingest-shapes.ts';
import { jsonShapes } from './json-shapes.ts';

/** Every attack; a group of them is a line. */
export const attacks = (): Attack[] => [...ingestShapes(), ...jsonShapes()];
