// The classes into which usage is counted by level: pipelines filter by class, so that synonyms of
// a level are one.

/** Ascending by severity, then levels that are no severity, then entries without a level. */
export const levelClasses = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'other', 'none'] as const;
export type LevelClass = (typeof levelClasses)[number];

/**
 * The words of each severity in lower case; numbers are those of syslog, and of pino and bunyan.
 */
export const levelWords = {
  trace: ['trace', 'verbose', 'finest', 'finer', 'trc', '10'],
  debug: ['debug', 'fine', 'config', 'dbg', '20', '7'],
  info: ['info', 'information', 'informational', 'notice', 'log', 'inf', '30', '5', '6'],
  warn: ['warn', 'warning', 'wrn', '40', '4'],
  error: ['err', 'error', 'severe', 'eror', '50', '3'],
  fatal: ['fatal', 'crit', 'critical', 'alert', 'emerg', 'emergency', 'panic', 'ftl', 'crt', '60', '0', '1', '2'],
} as const satisfies Partial<Record<LevelClass, readonly string[]>>;

const classByWord = new Map<string, LevelClass>(
  Object.entries(levelWords).flatMap(([level, words]) => words.map((word) => [word, level as LevelClass])),
);

/** @param level as an entry has it; case is ignored. */
export function levelClassOf(level: string | null | undefined): LevelClass {
  if (level === undefined || level === null || level === '') return 'none';
  return classByWord.get(level) ?? classByWord.get(level.toLowerCase()) ?? 'other';
}
