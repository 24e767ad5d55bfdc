import { day } from '../../durations.ts';
import { epochTimeOf } from '../../timestamp.ts';
import { isPlausibleTime, TimeForm, timeFormats, type WrittenTime } from './time-formats.ts';
import { RepeatedHour, type TimeZone } from './time-zone.ts';

/** The time of a line begins within so many characters. */
const searchedCharacters = 128;
/** Words of letters that can precede the time: `frank` in the Common Log Format. */
const maxPlainWords = 1;
/** The most digits of an epoch. */
const maxDigits = 20;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

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

const timeNames = 't|ts|time|timestamp|date|datetime|asctime';
const inAnyCase = timeNames.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/** A name before `=`, or `":"` in JSON, whose value is the time of the line. */
const timeName = `(?:^|[\\s[({<|,;"'])[$@]?(?:${inAnyCase})["']?\\s?[=:]\\s?["']?`;
const endsWithTimeName = new RegExp(`${timeName}$`);
/** A word begins behind these, of which one is the colour of a terminal. */
const opening = '^|[ \\t[({<>|,;\\ufeff]|\\x1b\\[[\\d;]{0,12}m';
const plainWord = '(?:^|[ \\t])(?:[A-Z][a-z]*|[a-z]+)';
/** The first character of what can be a time, or the blank behind a word of letters. */
const timeOrBlank = new RegExp(`[\\dA-Z](?<=(?:(?:${opening}|${timeName})["']*|:).)|[ \\t](?<=${plainWord}.)`, 'g');
const isBlank = (character: string) => character === ' ' || character === '\t';
/** In an indented line, only the first word can be the time. */
const indentedWord = /^[ \t]+[^ \t]*/;
/** A Unix time in s, ms, µs or ns, and the end of the word. One with two zeros is before 1990. */
const epoch = /(?!00)(?:\d{10}|\d{13}|\d{16}|\d{19})(?:\.\d{1,9})?(?=$|[\s,:;|)\]}>"'])/y;

/** Reads the times at the start of lines. It reads a bounded number of characters of a line. */
export class LineTimes {
  readonly #zone: TimeZone;
  readonly #now: number;
  readonly #latestYear: number;
  readonly #repeatedHour = new RepeatedHour();

  /**
   * @param zone of times without one.
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
    // Most lines begin with their time, so that this is tried without a search.
    const first = this.#readAt(line, 0, true);
    if (first !== undefined) return first;
    const start = line.slice(0, searchedCharacters);
    const searched = isBlank(line.charAt(0)) ? (indentedWord.exec(start)?.[0] ?? start) : start;
    let plainWords = 0;
    timeOrBlank.lastIndex = 1;
    while (timeOrBlank.test(searched)) {
      const at = timeOrBlank.lastIndex - 1;
      if (isBlank(searched.charAt(at))) {
        plainWords += 1;
        if (plainWords > maxPlainWords) return undefined;
      } else {
        // Other numbers are common behind a colon.
        const isOther = searched.charAt(at - 1) === ':' && !endsWithTimeName.test(searched.slice(0, at));
        const time = this.#readAt(line, at, plainWords === 0 && !isOther);
        if (time !== undefined) return time;
      }
    }
    return undefined;
  }

  /** @param mayBeBare whether numbers without separators can be a time. */
  #readAt(line: string, at: number, mayBeBare: boolean): number | undefined {
    let end = at;
    while (end < at + maxDigits && isDigit(line.charCodeAt(end))) end += 1;
    const forms = formsByStart.get(keyOf(end - at, line.charCodeAt(end)));
    if (forms) {
      for (const form of forms) {
        if (form.isBare && !mayBeBare) continue;
        const written = form.read(line, at);
        const time = written && this.#toInstant(written);
        if (time !== undefined) return time;
      }
    }
    return mayBeBare && end - at >= 10 ? this.#readEpoch(line, at) : undefined;
  }

  #readEpoch(line: string, at: number): number | undefined {
    epoch.lastIndex = at;
    const time = epochTimeOf(epoch.exec(line)?.[0]);
    if (time === undefined || !isPlausibleTime(time, this.#now)) return undefined;
    this.#repeatedHour.add(time);
    return time;
  }

  #toInstant(time: WrittenTime): number | undefined {
    const { year, shortYear, month, hour, halfDay, minute, second } = time;
    if (month < 1 || month > 12 || time.day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
    if (halfDay !== undefined) {
      if (hour < 1 || hour > 12) return undefined;
      time.hour = (hour % 12) + halfDay;
    }
    if (year !== undefined) return this.#inYear(time, year);
    if (shortYear !== undefined) return this.#inYear(time, 2000 + shortYear) ?? this.#inYear(time, 1900 + shortYear);
    // 29 February is in leap years only, which are at most eight years apart.
    for (let latest = this.#latestYear; latest >= this.#latestYear - 10; latest -= 1) {
      const instant = this.#inYear(time, latest);
      if (instant !== undefined) return instant;
    }
    return undefined;
  }

  #inYear(time: WrittenTime, year: number): number | undefined {
    const { month, hour, minute, second, ms, offset } = time;
    if (time.day > 28 && time.day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
    // A leap second is in the minute before its end.
    const isLeap = second === 60;
    const local = Date.UTC(year, month - 1, time.day, hour, minute, isLeap ? 59 : second, isLeap ? 999 : ms);
    const { first, second: repeated }: ReturnType<TimeZone> =
      offset === undefined ? this.#zone(local) : { first: local - offset * 60_000 };
    const instant = repeated === undefined ? first : this.#repeatedHour.choose(first, repeated);
    if (!isPlausibleTime(instant, this.#now)) return undefined;
    this.#repeatedHour.add(instant, repeated);
    return instant;
  }
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
