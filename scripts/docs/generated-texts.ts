import { renderAccessTable } from './access-table.ts';
import { renderEnvironmentExample, renderFirstVariables, renderVariables } from './configuration-docs.ts';

interface GeneratedText {
  /** The path of the file, relative to the project folder. */
  readonly path: string;
  /**
   * The part between the lines `<!-- name:start -->` and `<!-- name:end -->`. Default: the whole
   * file.
   */
  readonly section?: string;
  readonly render: () => string | Promise<string>;
}

/** The texts that `npm run docs` writes. A test compares them with the files. */
export const generatedTexts: readonly GeneratedText[] = [
  { path: 'docs/access.md', section: 'routes', render: renderAccessTable },
  { path: 'docs/configuration.md', section: 'first', render: renderFirstVariables },
  { path: 'docs/configuration.md', section: 'variables', render: renderVariables },
  { path: '.env.example', render: renderEnvironmentExample },
];

/**
 * The content of a file after the insertion of the generated text.
 * @throws Error if the markers of the section are missing in the file.
 */
export async function updatedText({ path, section, render }: GeneratedText, present: string): Promise<string> {
  const rendered = await render();
  if (section === undefined) return rendered;
  const [start, end] = [`<!-- ${section}:start -->\n`, `<!-- ${section}:end -->\n`];
  const from = present.indexOf(start);
  const to = present.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`${path} lacks the lines ${start.trim()} and ${end.trim()}.`);
  return `${present.slice(0, from)}${start}\n${rendered.trim()}\n\n${present.slice(to)}`;
}
