import { day } from '../../durations.ts';
import { epochUnits, isPlausibleTime, TimeForm, timeFormats, type WrittenTime } from './time-formats.ts';
import { RepeatedHour, type TimeZone, utc } from './time-zone.ts';

/** Kinds of characters; those beyond ASCII are `other`. */
const kind = { other: 0, blank: 1, digit: 2, upper: 3, lower: 4, underscore: 5 } as const;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[ \t]/.test(character)) return kind.blank;
  if (/\d/.test(character)) return kind.digit;
  if (/[A-Z]/.test(character)) return kind.upper;
  if (/[a-z]/.test(character)) return kind.lower;
  return character === '_' ? kind.underscore : kind.other;
});

/** The kind of the character at a position; `other` behind the end. */
function kindAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code < 128 ? (kinds[code] as number) : kind.other;
}

/** The sequence that sets a terminal's colour, behind the escape character. */
const colour = /^\[[\d;]{0,12}m/;

/** The length of the sequence at a position that sets a terminal's colour; 0 if there is none. */
function colourLength(line: string, at: number): number {
  const found = line.charCodeAt(at) === 0x1b ? colour.exec(line.slice(at + 1, at + 16)) : null;
  return found ? 1 + found[0].length : 0;
}

/** The time of a line begins within so many characters. */
const searchedCharacters = 128;
/** Words of letters that can precede the time: `frank` in the Common Log Format. */
const maxPlainWords = 1;
/** The most digits of an epoch. */
const maxDigits = 20;

/** The forms by the number of digits that they begin with and the character behind them. */
const formsByStart = new Map<number, TimeForm[]>();
const keyOf = (digits: number, code: number) => digits * 128 + code;
for (const form of timeFormats.map((format) => new TimeForm(format))) {
  for (const digits of form.digits) {
    for (const next of form.next) {
      const key = keyOf(digits, next.charCodeAt(0));
      formsByStart.set(key, [...(formsByStart.get(key) ?? []), form]);
    }
  }
}

/**
 * Whether a time can begin at a position. `loosely`: behind a colon, where only a form with
 * separators is a time, because other numbers are common there.
 */
type Beginning = 'no' | 'loosely' | 'yes';

/** Behind these characters, a word begins. */
const openings = new Set('[({<>|,;\ufeff');
/** A name before `=`, or `":"` in JSON, whose value is the time of the line. */
const timeName = /(?:^|[\s[({<|,;"'])[$@]?(?:t|ts|time|timestamp|date|datetime|asctime)["']?\s?[=:]\s?["']?$/i;
const nameCharacters = 24;
/** A fraction, and the end of the word. */
const behindEpoch = /^(\.\d{1,9})?(?:$|[\s,:;|)\]}>"'])/;

/** Reads the times at the start of lines. It reads a bounded number of characters of a line. */
export class LineTimes {
  readonly #zone: TimeZone;
  readonly #now: number;
  readonly #latestYear: number;
  readonly #repeatedHour = new RepeatedHour();
  /** The second instant of the local time that was read last. */
  #second: number | undefined;

  /**
   * @param zone the zone of times without one.
   * @param now epoch milliseconds: later times count only up to a day ahead.
   */
  constructor(zone: TimeZone, now: number) {
    this.#zone = zone;
    this.#now = now;
    // The next year can have begun in the zone already.
    this.#latestYear = new Date(now + 2 * day).getUTCFullYear();
  }

  /**
   * Reads the next line: in an hour that clocks show twice, the order of the lines tells the two
   * passes apart.
   * @returns epoch milliseconds; undefined if the line does not begin with a time.
   */
  read(line: string): number | undefined {
    // UTC has no such hour.
    if (this.#zone === utc) return this.#readStart(line);
    this.#second = undefined;
    const time = this.#readStart(line);
    if (time !== undefined) this.#repeatedHour.add(time, this.#second);
    return time;
  }

  #readStart(line: string): number | undefined {
    const end = Math.min(line.length, searchedCharacters);
    const isIndented = kindAt(line, 0) === kind.blank;
    let beginning: Beginning = 'yes';
    let plainWords = 0;
    let wordStart = 0;
    let isPlain = true;
    for (let at = 0; at < end; at += 1) {
      const now = kindAt(line, at);
      if (now === kind.blank) {
        if (wordStart < at) {
          if (isPlain) plainWords += 1;
          if (isIndented || plainWords > maxPlainWords) return undefined;
        }
        wordStart = at + 1;
        isPlain = true;
        beginning = 'yes';
        continue;
      }
      if (beginning !== 'no' && (now === kind.digit || now === kind.upper)) {
        const time = this.#readAt(line, at, beginning === 'yes' && plainWords === 0);
        if (time !== undefined) return time;
      }
      // Capitals name levels; other words of letters are prose.
      if (now !== kind.lower && (now !== kind.upper || at > wordStart)) isPlain = false;
      if (now !== kind.other) beginning = 'no';
      else {
        const colour = colourLength(line, at);
        if (colour > 0) at += colour - 1;
        beginning = colour > 0 ? 'yes' : beginningBehind(line, at, beginning);
      }
    }
    return undefined;
  }

  /** @param mayBeBare whether numbers without separators can be a time. */
  #readAt(line: string, at: number, mayBeBare: boolean): number | undefined {
    let end = at;
    while (end < at + maxDigits && kindAt(line, end) === kind.digit) end += 1;
    const forms = formsByStart.get(keyOf(end - at, line.charCodeAt(end)));
    if (forms) {
      for (const form of forms) {
        if (form.isBare && !mayBeBare) continue;
        const written = form.read(line, at);
        const time = written && this.#toInstant(written);
        if (time !== undefined) return time;
      }
    }
    return mayBeBare && end - at >= 10 ? this.#readEpoch(line, at, end) : undefined;
  }

  #readEpoch(line: string, at: number, end: number): number | undefined {
    const unit = epochUnits.get(end - at);
    const fraction = unit && behindEpoch.exec(line.slice(end, end + 11));
    if (!fraction) return undefined;
    // Rounded to microseconds first, because 1785000000.123 * 1000 is less than 1785000000123.
    const time = Math.floor(Math.round(Number(line.slice(at, end) + (fraction[1] ?? '')) * unit * 1000) / 1000);
    return isPlausibleTime(time, this.#now) ? time : undefined;
  }

  #toInstant(time: WrittenTime): number | undefined {
    const { year, shortYear, month, hour, minute, second } = time;
    if (month < 1 || month > 12 || time.day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
    if (year !== undefined) return this.#inYear(time, year);
    if (shortYear !== undefined) return this.#inYear(time, 2000 + shortYear) ?? this.#inYear(time, 1900 + shortYear);
    // 29 February is in leap years only, which are at most eight years apart.
    for (let latest = this.#latestYear; latest >= this.#latestYear - 10; latest -= 1) {
      const instant = this.#inYear(time, latest);
      if (instant !== undefined) return instant;
    }
    return undefined;
  }

  #inZone(local: number): number {
    if (this.#zone === utc) return local;
    const first = this.#zone.toInstant(local);
    this.#second = this.#zone.toSecondInstant(local);
    return this.#second === undefined ? first : this.#repeatedHour.choose(first, this.#second);
  }

  #inYear(time: WrittenTime, year: number): number | undefined {
    const { month, hour, minute, second, ms, offset } = time;
    if (offset !== undefined) this.#second = undefined;
    if (time.day > 28 && time.day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
    // A leap second is in the minute before its end.
    const local =
      second === 60
        ? Date.UTC(year, month - 1, time.day, hour, minute, 59, 999)
        : Date.UTC(year, month - 1, time.day, hour, minute, second, ms);
    const instant = offset === undefined ? this.#inZone(local) : local - offset * 60_000;
    return isPlausibleTime(instant, this.#now) ? instant : undefined;
  }
}

/**
 * Whether a time can begin behind the character at `at`.
 * @param before whether one can begin at the character.
 */
function beginningBehind(line: string, at: number, before: Beginning): Beginning {
  const character = line.charAt(at);
  if (openings.has(character)) return 'yes';
  if (character !== '=' && character !== ':' && character !== '"' && character !== "'") return 'no';
  const isQuote = character === '"' || character === "'";
  if (isQuote && before === 'yes') return 'yes';
  if (timeName.test(line.slice(Math.max(0, at + 1 - nameCharacters), at + 1))) return 'yes';
  return character === ':' ? 'loosely' : 'no';
}

/** How the lines of a stack trace begin that follow the first one. */
const continuation = /^(?:[ \t]|Caused by:|Suppressed:|\.\.\. \d{1,9} |--- End of )/;

/** Whether a line belongs to the entry before it by its form. */
export const isContinuation = (line: string): boolean => continuation.test(line);

/** Lines that show whether the entries of a text begin with a time. */
const maxSample = 1_000;

/**
 * Whether the entries of a text begin with a time, so that other lines belong to the entry before
 * them. A text that begins with one needs few, because an entry can have a hundred lines. Otherwise
 * one in eight: in a text without times, some lines mention one.
 * @param lines that are not blank, in order.
 */
export function beginWithTimes(lines: Iterable<string>, times: LineTimes): boolean {
  let [sample, timed, isFirstTimed] = [0, 0, false];
  for (const line of lines) {
    if (isContinuation(line)) continue;
    const isTimed = times.read(line) !== undefined;
    if (sample === 0) isFirstTimed = isTimed;
    if (isTimed) timed += 1;
    sample += 1;
    if (sample === maxSample) break;
  }
  return timed > 0 && timed * (isFirstTimed ? 128 : 8) >= sample;
}
