import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A protocol in Promela. Its first comment states the bound and lists the mutations. */
export interface Model {
  readonly name: string;
  readonly file: string;
  /** The numbers of processes and events that are checked. */
  readonly bound: string;
  readonly mutations: readonly Mutation[];
}

/** A mistake in a protocol, which the macro of this name makes. */
export interface Mutation {
  readonly name: string;
  readonly text: string;
}

/** The models in a folder, by name. */
export function readModels(folder: string): Model[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pml'))
    .sort()
    .map((name) => readModel(join(folder, name)));
}

/** @throws Error if the file states no bound, or if its mutations are not those of its macros. */
export function readModel(file: string): Model {
  const source = readFileSync(file, 'utf8');
  const [comment = ''] = /^\/\*.*?\*\//s.exec(source) ?? [];
  // A line that is indented further continues the line before.
  const lines = comment.replaceAll(/\n \* {3}/g, ' ').split('\n');
  const bound = lines.map((line) => /^ \* bound: (.+)$/.exec(line)?.[1]).find((text) => text !== undefined);
  const mutations = lines.flatMap((line) => {
    const [, name, text] = /^ \* mutation ([A-Z_]+): (.+)$/.exec(line) ?? [];
    return name && text ? [{ name, text }] : [];
  });
  const macros = [...source.matchAll(/^#ifn?def (\w+)$/gm)].map(([, macro]) => macro);
  const names = mutations.map(({ name }) => name);
  if (bound === undefined) throw new Error(`${file} states no bound.`);
  if (macros.some((macro) => !names.includes(macro ?? '')) || names.some((name) => !macros.includes(name))) {
    throw new Error(`${file} lists the mutations ${names.join(', ')}, but has others.`);
  }
  return { name: basename(file, '.pml'), file, bound, mutations };
}
