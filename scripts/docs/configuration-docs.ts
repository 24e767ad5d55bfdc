import { variableGroups } from '../../shared/config/config-schema.ts';
import { describeVariable, type VariableDescription } from './describe-variable.ts';
import { wrap } from './markdown.ts';

const groups = () =>
  Object.entries(variableGroups).map(([title, variables]) => ({
    title,
    variables: Object.entries(variables).map(([name, schema]) => describeVariable(name, schema)),
  }));

/** Variables that an operator sets first, beside those that are required. */
const alsoFirst = ['TRUST_PROXY', 'METRICS_TOKEN', 'ACCESS', 'NOTEBOOK_BACKEND'];

/** Renders the list of the variables to set first. */
export function renderFirstVariables(): string {
  return groups()
    .flatMap(({ variables }) => variables)
    .filter(({ name, isRequired }) => isRequired || alsoFirst.includes(name))
    .map(({ name, meaning, isRequired }) =>
      wrap(`\`${name}\`${isRequired ? ' (required)' : ''}: ${firstSentence(meaning)}`, {
        first: '- ',
        others: '  ',
      }),
    )
    .join('\n');
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;

/** Renders one entry for each variable. */
export function renderVariables(): string {
  return groups()
    .flatMap(({ variables }) => variables.map(entryOf))
    .join('\n');
}

function entryOf({ name, meaning, isRequired, allowed = 'any text', ...variable }: VariableDescription): string {
  const rule = `${isRequired ? 'Required.' : `Default: ${variable.default}.`} Allowed: ${allowed}.`;
  return wrap(`\`${name}\`: ${meaning} ${rule}`, { first: '- ', others: '  ' });
}

const introduction = [
  'Every variable of the service, with its default or an example. `npm run docs` writes this file from',
  'shared/config/config-schema.ts. `npm start` needs none of the variables: the local stack chooses databases and secrets itself.',
  '`npm start`, `npm run demo` and `npm run bench` read a copy named `.env`; variables of the environment take precedence.',
  'docker-compose.yml reads `production.env`, which `npm run -s secrets` prints. On other hosts, set the variables in the',
  'environment.',
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

/**
 * Converts a description to sentences without code marks. A default that equals the value is
 * omitted.
 */
function explanation({ meaning, allowed, isRequired, value, ...variable }: VariableDescription): string {
  const plain = (text: string) => text.replaceAll('`', '');
  return [
    meaning,
    ...(allowed === undefined ? [] : [`Allowed: ${plain(allowed)}.`]),
    ...(isRequired ? ['Required.'] : []),
    ...(isRequired || plain(variable.default) === value ? [] : [`Default: ${plain(variable.default)}.`]),
  ].join(' ');
}

const comment = (text: string) => `${wrap(text, { first: '# ', others: '# ' })}\n`;
