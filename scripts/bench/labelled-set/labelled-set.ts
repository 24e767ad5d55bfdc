// Log lines of many systems with the exact extent of their personal data. The scanner has been
// corrected by its misses in them, so its scores are higher here than on other lines.
// Whoever adds a template decides its labels by docs/personal-data.md without reading the scanner.
// Where the document says nothing, the label is what a person who knows the system would say:
//
// - An address is a label in any letter case and under any key, also that of a role
//   (`postmaster@`). The id of a message has the form of an address and is no label, also as `id=`
//   of Exim and `id:` of rspamd.
// - `ID number`, the name of the number in South Africa, is a label; `order_id` and the like name
//   something else, even if the number passes a check.
// - A number that fails its check is not personal data, whatever its label.
// - The extent is that of the address or number, without brackets, quotes, colours and labels. The
//   data of a magnetic stripe is one extent, with its name and expiry date.
//
// Forms that two readers of the document would decide differently are left out: public keys of ssh
// with a comment, principals of Kerberos without a word or a component beside them, a word that a
// hyphen joins to an address.

import { createRandom } from '../generated-numbers.ts';
import { FAMILIES } from './families.ts';
import type { Family, Template } from './family.ts';
import { type LabelledLine, readMarks } from './marks.ts';
import { SECOND_FAMILIES } from './second-set/families.ts';
import { SECOND_VOCABULARY } from './second-set/vocabulary.ts';
import { createValues, type Values } from './values.ts';
import { FIRST_VOCABULARY, type Vocabulary } from './vocabulary.ts';

export const SET_SIZE = 6000;

/** Lines with names and labels of their own. */
export interface LabelledSet {
  readonly name: string;
  readonly families: readonly Family[];
  readonly vocabulary: Vocabulary;
}

export const LABELLED_SETS: readonly LabelledSet[] = [
  { name: 'first', families: FAMILIES, vocabulary: FIRST_VOCABULARY },
  { name: 'second', families: SECOND_FAMILIES, vocabulary: SECOND_VOCABULARY },
];

/**
 * Generates lines of a set: lines with and without personal data alternate, and each half goes
 * through the templates of all families. The same seed generates the same lines.
 */
export function generateLines(set: LabelledSet, count = SET_SIZE, seed = 20_261_123): LabelledLine[] {
  const values = createValues(createRandom(seed), set.vocabulary);
  const personal = templatesOf(set.families, ({ personal }) => personal);
  const lookalikes = templatesOf(set.families, ({ lookalikes }) => lookalikes);
  return Array.from({ length: count }, (_, index) => {
    const pool = index % 2 === 0 ? personal : lookalikes;
    return compose(pool[Math.floor(index / 2) % pool.length] as FamilyTemplate, values);
  });
}

interface FamilyTemplate {
  readonly family: string;
  readonly template: Template;
}

function templatesOf(families: readonly Family[], choose: (family: Family) => readonly Template[]): FamilyTemplate[] {
  return families.flatMap((family) => choose(family).map((template) => ({ family: family.name, template })));
}

function compose({ family, template }: FamilyTemplate, values: Values): LabelledLine {
  return { family, ...readMarks(template(values)) };
}
