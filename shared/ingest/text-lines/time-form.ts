import { isWordCharacter, kind, kindAt } from './character-kinds.ts';
import { monthNumber, type TimeFormat, zoneNames } from './time-formats.ts';

/** The numbers of a time as a line writes it. */
export class WrittenTime {
  /** -1 if the line has none. */
  year = -1;
  /** The last two digits of the year, where no others are written; otherwise -1. */
  shortYear = -1;
  /** 1 to 12. */
  month = 0;
  day = 0;
  hour = 0;
  minute = 0;
  second = 0;
  ms = 0;
  /** Minutes east of UTC; NaN if the line names no zone. */
  offset = Number.NaN;

  clear(): void {
    this.year = this.shortYear = -1;
    this.month = this.day = this.hour = this.minute = this.second = this.ms = 0;
    this.offset = Number.NaN;
  }
}

interface Part {
  readonly letter: string;
  readonly length: number;
  readonly code: number;
}

/** A form of a time, compiled. Reading takes a bounded number of steps: no part is repeated. */
export class TimeForm {
  /** The digits that it begins with, at least and at most; none if it begins with a letter. */
  readonly digits: readonly number[];
  /** The characters behind these digits, or the first ones. */
  readonly next: string;
  readonly isBare: boolean;
  readonly #parts: readonly Part[];

  constructor({ form, isBare = false }: TimeFormat) {
    const [begin = ''] = /^[yMdhmsD]*/.exec(form) ?? [];
    const behind = form.charAt(begin.length);
    this.digits = begin.includes('D') ? [1, 2] : [begin.length];
    this.next = firstCharacters[behind] ?? behind;
    this.isBare = isBare;
    this.#parts = (form.match(/([yMdhms])\1*|./g) ?? []).map((part) => ({
      letter: part.charAt(0),
      length: part.length,
      code: part.charCodeAt(0),
    }));
  }

  /** @returns whether the form begins at `start` and ends where a word ends. */
  read(line: string, start: number, time: WrittenTime): boolean {
    time.clear();
    let at = start;
    for (const part of this.#parts) {
      at = readPart(part, line, at, time);
      if (at === -1) return false;
    }
    const isInClock = line.charCodeAt(at) === colon && kindAt(line, at + 1) === kind.digit;
    return !isInClock && !isWordCharacter(line, at);
  }
}

const firstCharacters: Readonly<Record<string, string>> = { N: 'JFMASOND', L: 'IWEF', '~': 'Tt _' };
const colon = ':'.charCodeAt(0);

/** @returns the position behind what the part of the form matches, or -1. */
function readPart({ letter, length, code }: Part, line: string, at: number, time: WrittenTime): number {
  switch (letter) {
    case 'y': {
      const year = readNumber(line, at, length);
      if (length === 2) time.shortYear = year;
      else time.year = year;
      return year === -1 ? -1 : at + length;
    }
    case 'M':
      time.month = readNumber(line, at, 2);
      return time.month === -1 ? -1 : at + 2;
    case 'N':
      time.month = monthNumber(line, at);
      return time.month === 0 ? -1 : at + 3;
    case 'd':
      time.day = readNumber(line, at, 2);
      return time.day === -1 ? -1 : at + 2;
    case 'D':
      time.day = readShortNumber(line, at);
      return endOfShortNumber(line, at, time.day);
    case 'h':
      time.hour = readNumber(line, at, 2);
      return time.hour === -1 ? -1 : at + 2;
    case 'H':
      time.hour = readShortNumber(line, at);
      return endOfShortNumber(line, at, time.hour);
    case 'm':
      time.minute = readNumber(line, at, 2);
      return time.minute === -1 ? -1 : at + 2;
    case 'I':
      time.minute = readShortNumber(line, at);
      return endOfShortNumber(line, at, time.minute);
    case 's':
      time.second = readNumber(line, at, 2);
      return time.second === -1 ? -1 : at + 2;
    case 'S':
      time.second = readShortNumber(line, at);
      return endOfShortNumber(line, at, time.second);
    case 'f':
      return readFraction(line, at, time);
    case 'z':
      return readZone(line, at, time);
    case 'Y':
      return readYearBehind(line, at, time);
    case 'a':
      return readHalfDay(line, at, time);
    case 'L':
    case '~':
      return firstCharacters[letter]?.includes(line.charAt(at) || '?') ? at + 1 : -1;
    default:
      return line.charCodeAt(at) === code ? at + 1 : -1;
  }
}

/** @returns -1 if there is another character than a digit. */
function readNumber(line: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at += 1) {
    if (kindAt(line, at) !== kind.digit) return -1;
    value = value * 10 + digitAt(line, at);
  }
  return value;
}

/** Reads one or two digits, or a blank and one. @returns -1 if there are none. */
function readShortNumber(line: string, at: number): number {
  if (kindAt(line, at) === kind.blank) return readNumber(line, at + 1, 1);
  return readNumber(line, at, kindAt(line, at + 1) === kind.digit ? 2 : 1);
}

function endOfShortNumber(line: string, at: number, value: number): number {
  if (value === -1) return -1;
  return kindAt(line, at) === kind.blank || kindAt(line, at + 1) === kind.digit ? at + 2 : at + 1;
}

const digitAt = (line: string, at: number) => line.charCodeAt(at) - 48;
const maxFractionDigits = 12;

function readFraction(line: string, at: number, time: WrittenTime): number {
  const mark = line.charAt(at);
  if ((mark !== '.' && mark !== ',' && mark !== ':') || kindAt(line, at + 1) !== kind.digit) return at;
  let end = at + 1;
  for (let unit = 100; end <= at + maxFractionDigits && kindAt(line, end) === kind.digit; unit /= 10) {
    if (unit >= 1) time.ms += digitAt(line, end) * unit;
    end += 1;
  }
  return end;
}

/** Reads the year that ctime writes last. */
function readYearBehind(line: string, at: number, time: WrittenTime): number {
  if (kindAt(line, at) !== kind.blank || kindAt(line, at + 1) !== kind.digit) return at;
  const year = readNumber(line, at + 1, 4);
  if (year === -1 || isWordCharacter(line, at + 5)) return at;
  time.year = year;
  return at + 5;
}

function readHalfDay(line: string, at: number, time: WrittenTime): number {
  const half = /^[ \u00a0\u202f]([AP])M$/.exec(line.slice(at, at + 3))?.[1];
  if (half === undefined || time.hour < 1 || time.hour > 12) return -1;
  time.hour = (time.hour % 12) + (half === 'P' ? 12 : 0);
  return at + 3;
}

/** In minutes. */
const maxOffset = 14 * 60;

/** Reads an offset or the name of a zone; a blank can precede both. */
function readZone(line: string, start: number, time: WrittenTime): number {
  const at = kindAt(line, start) === kind.blank ? start + 1 : start;
  const sign = line.charAt(at);
  if (sign === '+' || sign === '-') {
    const [text, hours, minutes = '0'] = /^.(\d\d)(?::?(\d\d))?(?!\d)/.exec(line.slice(at, at + 7)) ?? [];
    const offset = Number(hours) * 60 + Number(minutes);
    if (text === undefined || !(offset <= maxOffset)) return start;
    time.offset = sign === '-' ? -offset : offset;
    return at + text.length;
  }
  const first = kindAt(line, at);
  if (first !== kind.upper && first !== kind.lower) return start;
  if (!isWordCharacter(line, at + 1)) {
    if (sign !== 'Z' && sign !== 'z') return start;
    time.offset = 0;
    return at + 1;
  }
  let end = at + 2;
  while (end < at + 4 && kindAt(line, end) === kind.upper) end += 1;
  const offset = isWordCharacter(line, end) ? undefined : zoneNames.get(line.slice(at, end));
  if (offset === undefined) return start;
  time.offset = offset;
  return end;
}
