import { codes } from './character-codes.ts';
import { isOpening } from './group-boundaries.ts';
import { GROUP_CODES, LETTERS, type NumberShape, SEPARATOR_NUMBERS, type ShapeTable } from './number-shapes.ts';

const { BEYOND_ASCII, BLANK } = codes;

/** By character code: the bit of a separator. */
export const SEPARATOR_BITS = SEPARATOR_NUMBERS.map((number) => (number === 0 ? 0 : 1 << (number - 1)));

/** Properties of all shapes of a table. They reject most numbers before a shape is looked up. */
export interface GroupFilters {
  /** Whether payment cards are in the table. */
  readonly hasCards: boolean;
  /** By group code: 1 if a shape with a blank or a bracket begins with the group. */
  readonly canStartRun: Uint8Array;
  /** By group code: 1 if the group is the first group after a prefix in any shape. */
  readonly canFollowPrefix: Uint8Array;
  /** By character code: 1 if the separator follows the prefix in any shape. */
  readonly isPrefixSeparator: Uint8Array;
  /**
   * By the codes of two adjacent groups: the bits of the separators between these groups in all
   * shapes.
   */
  readonly separatorBits: Uint8Array;
}

export function buildGroupFilters(table: ShapeTable): GroupFilters {
  const shapes = table.flat(2).filter((shape) => shape !== undefined);
  const filters: GroupFilters = {
    hasCards: shapes.some(({ card }) => card !== 'none'),
    canStartRun: new Uint8Array(GROUP_CODES),
    canFollowPrefix: new Uint8Array(GROUP_CODES),
    isPrefixSeparator: new Uint8Array(BEYOND_ASCII),
    separatorBits: new Uint8Array(GROUP_CODES * GROUP_CODES),
  };
  for (const shape of shapes) addShape(filters, shape);
  return filters;
}

function addShape(filters: GroupFilters, { groups, separators }: NumberShape): void {
  const { canStartRun, canFollowPrefix, isPrefixSeparator, separatorBits } = filters;
  separators.forEach((separator, i) => {
    const pair = (groups[i] as number) * GROUP_CODES + (groups[i + 1] as number);
    separatorBits[pair] = (separatorBits[pair] as number) | (SEPARATOR_BITS[separator] as number);
  });
  if (separators.some((separator) => separator === BLANK || isOpening(separator))) canStartRun[groups[0] as number] = 1;
  const afterPrefix = groups.findIndex((group) => group < LETTERS);
  if (afterPrefix > 0) {
    canFollowPrefix[groups[afterPrefix] as number] = 1;
    isPrefixSeparator[separators[afterPrefix - 1] as number] = 1;
  }
}
