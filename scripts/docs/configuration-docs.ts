import { variableGroups } from '../../shared/config/config-schema.ts';
import { describeVariable, type VariableDescription } from './describe-variable.ts';
import { tableOf } from './markdown.ts';

const groups = () =>
  variableGroups.map(({ title, variables }) => ({
    title,
    variables: Object.entries(variables).map(([name, schema]) => describeVariable(name, schema)),
  }));

const header = ['variable', 'meaning', 'default', 'allowed'];

/** Renders one table for each group of variables. */
export function renderVariableTables(): string {
  return groups()
    .map(({ title, variables }) => {
      const rows = variables.map((variable) => [
        `\`${variable.name}\``,
        variable.meaning,
        variable.default,
        variable.allowed ?? 'any text',
      ]);
      return `## ${title}\n\n${tableOf(header, rows)}`;
    })
    .join('\n\n');
}

const introduction = [
  'Every variable of the service, with its default or an example. `npm run docs` writes this file from',
  'shared/config/config-schema.ts. `npm start` needs none of the variables: the local stack chooses databases and secrets itself.',
  '`npm start`, `npm run demo` and `npm run bench` read a copy named `.env`; variables of the environment take precedence.',
  'docker-compose.yml reads a copy named `production.env`. On other hosts, set the variables in the environment.',
].join(' ');

/** Renders the variables as an environment file, all commented out. */
export function renderEnvironmentExample(): string {
  const sections = groups().map(({ title, variables }) =>
    [
      `## ${title}\n`,
      ...variables.map((variable) => `${comment(explanation(variable))}#${variable.name}=${variable.value}\n`),
    ].join('\n'),
  );
  return [comment(introduction), ...sections].join('\n');
}

/** Converts the columns of the table to sentences without code marks. A default that equals the value is omitted. */
function explanation({ meaning, allowed, isRequired, value, ...variable }: VariableDescription): string {
  const plain = (text: string) => text.replaceAll('`', '');
  return [
    meaning,
    ...(allowed === undefined ? [] : [`Allowed: ${plain(allowed)}.`]),
    ...(isRequired ? ['Required.'] : []),
    ...(isRequired || plain(variable.default) === value ? [] : [`Default: ${plain(variable.default)}.`]),
  ].join(' ');
}

/** The text as comment lines of up to 120 characters. */
function comment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length < 120) lines[lines.length - 1] = longer;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}\n`).join('');
}
