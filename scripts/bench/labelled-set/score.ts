import { KINDS, type Kind, type Label, type LabelledLine } from './marks.ts';

/** The part of a scanner's finding that is scored. */
type Finding = Pick<Label, 'start' | 'end'> & { readonly type: string };

export interface KindScore {
  readonly type: Kind;
  readonly expected: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** A label without its finding, or a finding without its label. */
export interface Difference {
  readonly line: number;
  readonly family: string;
  readonly type: string;
  readonly text: string;
  /** The expected and the found extents that overlap. One of them is empty unless they differ. */
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/** A finding is right only if its kind and both of its ends are. */
export function scoreFindings(
  lines: readonly LabelledLine[],
  scan: (text: string) => readonly Finding[],
): { scores: KindScore[]; differences: Difference[] } {
  const counts = new Map(KINDS.map((type) => [type as string, { hits: 0, wrong: 0, missed: 0 }]));
  const differences: Difference[] = [];
  lines.forEach(({ family, text, labels }, line) => {
    const findings = scan(text);
    const missed = labels.filter((label) => !findings.some((finding) => isSame(label, finding)));
    const wrong = findings.filter((finding) => !labels.some((label) => isSame(label, finding)));
    for (const { type } of labels) (counts.get(type) as Count).hits++;
    for (const { type } of missed) {
      (counts.get(type) as Count).hits--;
      (counts.get(type) as Count).missed++;
    }
    for (const { type } of wrong) (counts.get(type) as Count).wrong++;
    const extent = ({ start, end }: Finding) => text.slice(start, end);
    for (const label of missed) {
      const found = wrong.filter((finding) => overlaps(label, finding));
      differences.push({
        line,
        family,
        type: label.type,
        text,
        expected: [extent(label)],
        found: found.map((finding) => `${finding.type} ${extent(finding)}`),
      });
    }
    for (const finding of wrong.filter((candidate) => !missed.some((label) => overlaps(label, candidate)))) {
      differences.push({ line, family, type: finding.type, text, expected: [], found: [extent(finding)] });
    }
  });
  return { scores: KINDS.map((type) => scoreOf(type, counts.get(type) as Count)), differences };
}

interface Count {
  hits: number;
  wrong: number;
  missed: number;
}

function scoreOf(type: Kind, { hits, wrong, missed }: Count): KindScore {
  return {
    type,
    expected: hits + missed,
    precision: hits / Math.max(1, hits + wrong),
    recall: hits / Math.max(1, hits + missed),
    f1: (2 * hits) / Math.max(1, 2 * hits + wrong + missed),
  };
}

const isSame = (one: Finding, other: Finding): boolean =>
  one.type === other.type && one.start === other.start && one.end === other.end;

const overlaps = (one: Finding, other: Finding): boolean => one.start < other.end && other.start < one.end;
