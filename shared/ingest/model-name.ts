// Names of models as programs write them: ids of Bedrock, inference profiles, ARNs, routes of
// libraries, and the vendors' own names. Pure: it needs only the ids of the price book.
import type { InferenceProfile } from '../scenarios/pipeline.ts';

/** The ids of the models of a price book. */
export interface ModelNames {
  readonly modelIds: ReadonlySet<string>;
}

/** A model of the price book, as a name calls it. */
interface NamedModel {
  readonly model: string;
  /** Absent if the name does not tell it: the model is called as the scenario calls models. */
  readonly profile?: CallProfile;
}

/**
 * `geo`: through a profile of a geography, billed at the price of the source Region. The name of a
 * partition, such as `aws-us-gov`: in a Region of it.
 */
export type CallProfile = InferenceProfile | 'geo' | `aws-${string}`;

/** Characters of a name that is not resolved. */
const maxNameCharacters = 128;

/** An unknown name, as it is counted. BSON has no halves of surrogate pairs. */
export const keptName = (name: string) => name.trim().slice(0, maxNameCharacters).toWellFormed();

/** Longer names are those of no model. */
const maxKnownCharacters = 256;
/** Names of the last calls; few differ. */
const maxCached = 1_000;

/** Finds the model that the first name means. Another name of it can tell the profile. */
export function createModelFinder(names: ModelNames): (names: readonly string[]) => NamedModel | undefined {
  let size = 0;
  let findIn = createCatalogue([]);
  const cached = new Map<string, NamedModel | undefined>();
  const find = (name: string): NamedModel | undefined => {
    if (name.length > maxKnownCharacters) return undefined;
    if (names.modelIds.has(name)) return { model: name };
    // A version of the price book can add models at any time.
    if (names.modelIds.size !== size) {
      size = names.modelIds.size;
      findIn = createCatalogue([...names.modelIds]);
      cached.clear();
    }
    if (cached.has(name)) return cached.get(name);
    if (cached.size === maxCached) cached.clear();
    const found = findIn(name);
    cached.set(name, found);
    return found;
  };
  return ([first, ...others]) => {
    const named = first === undefined ? undefined : find(first);
    if (!named || named.profile) return named;
    return others.map(find).find((other) => other?.model === named.model && other.profile) ?? named;
  };
}

/** How libraries prefix the names of models on Bedrock; a Region in it is not used. */
const route =
  /^(?:amazon-bedrock|bedrock_converse|bedrock|converse|invoke)[/:](?:(?:converse|invoke|(?<region>[a-z]{2}(?:-[a-z]+)+-\d))\/)?(?=.)/;
/** Only these kinds of resources have the id of a model in their name. */
const arn =
  /^arn:(?<partition>aws|aws-[a-z-]+):bedrock:(?<region>[a-z0-9-]*):\d*:(?<kind>foundation-model|inference-profile)\/(?<id>[^/]+)$/;
const govRegion = /^us-gov-/;
/** One segment before the vendor: `us.`, `us-gov.`, `global.`. */
const profilePrefix = /^(?<geography>[a-z]{2,8}(?:-[a-z]{2,8})?)\.(?=(?<vendor>[a-z0-9]+)\.)/;

function createCatalogue(ids: readonly string[]): (name: string) => NamedModel | undefined {
  const vendors = new Set(ids.map((id) => id.slice(0, id.indexOf('.'))));
  /** By stem, with and without the vendor. */
  const byStem = new Map<string, { id: string; reading: ReturnType<typeof readingsOf>[number] }[]>();
  for (const id of ids) {
    const ownName = id.slice(id.indexOf('.') + 1);
    // A short name such as `r1` is not enough.
    const ownReadings = readingsOf(ownName).filter(({ stem }) => stem.includes('-'));
    for (const reading of [...readingsOf(id), ...ownReadings]) {
      byStem.set(reading.stem, [...(byStem.get(reading.stem) ?? []), { id, reading }]);
    }
  }
  const geographyOf = (name: string) => {
    const { geography, vendor = '' } = profilePrefix.exec(name)?.groups ?? {};
    return vendors.has(vendor) ? geography : undefined;
  };
  /** @returns undefined unless exactly one model has all of the given parts. */
  const findByParts = (name: string) => {
    const found = readingsOf(name).flatMap((reading) =>
      // An id without a version is that of version 1, revision 0.
      (byStem.get(reading.stem) ?? []).filter(
        ({ reading: known }) =>
          isSame(reading.date, known.date ?? reading.date) &&
          isSame(reading.version, known.version ?? '1') &&
          isSame(reading.revision, known.revision ?? '0'),
      ),
    );
    const [id, ...others] = new Set(found.map((one) => one.id));
    return others.length === 0 ? id : undefined;
  };

  return (name) => {
    let rest = name.trim().toLowerCase();
    if (rest.length > 2 * maxNameCharacters) return undefined;
    let profile: CallProfile | undefined;
    const routed = route.exec(rest);
    if (routed) {
      rest = rest.slice(routed[0].length);
      if (govRegion.test(routed.groups?.['region'] ?? '')) profile = 'aws-us-gov';
    }
    if (rest.startsWith('arn:')) {
      const { partition, region, kind, id = '' } = arn.exec(rest)?.groups ?? {};
      if (!partition || (kind === 'inference-profile' && geographyOf(id) === undefined)) return undefined;
      if (partition === 'aws') profile = region === '' ? 'global' : 'regional';
      else profile = partition as `aws-${string}`;
      rest = id;
    }
    const geography = geographyOf(rest);
    if (geography !== undefined) {
      rest = rest.slice(geography.length + 1);
      if (geography === 'us-gov') profile = 'aws-us-gov';
      else if (!profile?.startsWith('aws-')) profile = geography === 'global' ? 'global' : 'geo';
    }
    const model = ids.includes(rest) ? rest : findByParts(rest);
    return model === undefined ? undefined : { model, ...(profile && { profile }) };
  };
}

const isSame = (given: string | undefined, known: string | undefined) => given === undefined || given === known;

const nameEnd =
  /^(?<stem>.+?)(?:[-@](?<date>\d{8}|\d{4}-\d\d-\d\d)|-latest)?(?:-v(?<version>\d+))?(?::(?<revision>\d+))?$/;
/** The ending of `gpt-oss-20b-1:0`, where the version has no `v`. */
const bareVersionEnd = /^(?<stem>.+)-(?<version>\d+):(?<revision>\d+)$/;

/**
 * All ways to read a name: `-1:0` is a version, or the end of the name and a revision. The stem is
 * the vendor and the name without date and version; parts that it does not have are absent.
 */
function readingsOf(name: string) {
  return [nameEnd, bareVersionEnd].flatMap((form) => {
    const parts = form.exec(name)?.groups;
    if (!parts) return [];
    const { stem = '', date, version, revision } = parts;
    // `claude-sonnet-4.6` is written for `claude-sonnet-4-6`.
    return [{ stem: stem.replace(/(\d)\.(?=\d)/g, '$1-'), date: date?.replaceAll('-', ''), version, revision }];
  });
}
