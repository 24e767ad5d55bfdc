import type { PriceBookFile } from '../price-book-file.ts';

type Models = PriceBookFile['inference']['models'];

/** The prefixes of profiles that span the Regions of a geography, with those Regions. */
const geographies: Readonly<Record<string, string>> = {
  us: 'us-',
  eu: 'eu-',
  apac: 'ap-',
  jp: 'ap-northeast-',
  au: 'ap-southeast-',
  in: 'ap-south-',
  ca: 'ca-',
  'us-gov': 'us-gov-',
  regional: '',
};

export interface ProfiledModel {
  /** The id without the prefix of a profile. */
  id: string;
  scope: 'any' | 'geo' | 'global';
  regionPrefix?: string;
}

/** Splits the prefix of a cross-Region profile from the id of a model: `eu.`, `global.`. */
export function splitProfile(id: string): ProfiledModel {
  const dot = id.indexOf('.');
  const prefix = id.slice(0, Math.max(dot, 0));
  const rest = id.slice(dot + 1);
  if (prefix === 'global') return { id: rest, scope: 'global' };
  const regionPrefix = Object.hasOwn(geographies, prefix) ? geographies[prefix] : undefined;
  return regionPrefix === undefined ? { id, scope: 'any' } : { id: rest, scope: 'geo', regionPrefix };
}

const idParts = /^(?<base>.+?)(?:-(?<date>\d{8}))?(?:-v(?<version>\d+))?(?::\d+)?$/;

/**
 * The id of the book's model that a source's id names. Sources leave out dates and versions; a
 * date or version that both ids have must be the same. Undefined if none or several match.
 */
export function findModelId(models: Models, id: string): string | undefined {
  if (models.some((model) => model.id === id)) return id;
  const wanted = idParts.exec(id)?.groups;
  const matches = models.filter((model) => {
    const parts = idParts.exec(model.id)?.groups;
    return (
      parts?.['base'] === wanted?.['base'] &&
      agrees(parts?.['date'], wanted?.['date']) &&
      agrees(parts?.['version'], wanted?.['version'])
    );
  });
  return matches.length === 1 ? matches[0]?.id : undefined;
}

const agrees = (a: string | undefined, b: string | undefined) => a === undefined || b === undefined || a === b;

/** The id of the book's model with a name of the vendor's price list; undefined if none matches. */
export function findModelByName(models: Models, name: string): string | undefined {
  const wanted = normalizeName(name);
  const matches = models.filter((model) => normalizeName(model.name) === wanted || model.id === name);
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Words of a name in one order: the vendor writes `Claude 4.5 Sonnet` and `Nova 2.0 Lite` too. */
function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\((?:amazon bedrock edition|amazon bedrock)\)/, '')
    .replace(/(\d)\.0\b/g, '$1')
    .replace(/[^a-z0-9.]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && word !== 'amazon' && word !== 'instruct')
    .sort()
    .join(' ');
}
