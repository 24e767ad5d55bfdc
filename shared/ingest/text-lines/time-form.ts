import { monthNames, type TimeFormat, zoneNames } from './time-formats.ts';

/** The numbers of a time as a line writes it. */
export interface WrittenTime {
  year?: number;
  /** The last two digits of the year, where no others are written. */
  shortYear?: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ms: number;
  /** Minutes east of UTC; absent if the line names no zone. */
  offset?: number;
}

const shortNumber = '([ \\t]\\d|\\d\\d?)';
const zone = `[+-](?:0\\d|1[0-3])(?::?\\d\\d)?(?!\\d)|[+-]14(?::?00)?(?!\\d)|(?:[Zz]|${[...zoneNames.keys()].join('|')})(?!\\w)`;

/** What a part of a form matches, and what its group means. */
const parts: Readonly<Record<string, readonly [pattern: string, set?: (time: WrittenTime, text: string) => void]>> = {
  yyyy: ['(\\d{4})', setter('year')],
  yy: ['(\\d\\d)', setter('shortYear')],
  MM: ['(\\d\\d)', setter('month')],
  N: [`(${monthNames.join('|')})`, (time, text) => (time.month = monthNames.indexOf(text) + 1)],
  dd: ['(\\d\\d)', setter('day')],
  D: [shortNumber, setter('day')],
  hh: ['(\\d\\d)', setter('hour')],
  H: [shortNumber, setter('hour')],
  mm: ['(\\d\\d)', setter('minute')],
  I: [shortNumber, setter('minute')],
  ss: ['(\\d\\d)', setter('second')],
  S: [shortNumber, setter('second')],
  f: ['(?:[.,:](\\d{1,12}))?', (time, text) => (time.ms = Number(text.slice(0, 3).padEnd(3, '0')))],
  z: [`(?:[ \\t]?(${zone}))?`, (time, text) => (time.offset = offsetOf(text))],
  // ctime writes the year last.
  Y: ['(?:[ \\t](\\d{4})(?!\\w))?', setter('year')],
  a: ['[ \\u00a0\\u202f]([AP])M', setHalfDay],
  L: ['[IWEF]'],
  '~': ['[Tt _]'],
};

/** The characters that a form can begin with, or have behind its first digits. */
const firstCharacters: Readonly<Record<string, string>> = { N: 'JFMASOND', L: 'IWEF', '~': 'Tt _' };

/** A form of a time, compiled. Reading takes a bounded number of steps. */
export class TimeForm {
  /** The digits that it begins with, at least and at most; none if it begins with a letter. */
  readonly digits: readonly number[];
  /** The characters behind these digits, or the first ones. */
  readonly next: string;
  readonly isBare: boolean;
  readonly #pattern: RegExp;
  readonly #setters: ((time: WrittenTime, text: string) => void)[] = [];

  constructor({ form, isBare = false }: TimeFormat) {
    const [begin = ''] = /^[yMdhmsD]*/.exec(form) ?? [];
    const behind = form.charAt(begin.length);
    this.digits = begin.includes('D') ? [1, 2] : [begin.length];
    this.next = firstCharacters[behind] ?? behind;
    this.isBare = isBare;
    let pattern = '';
    for (const part of form.match(/([yMdhms])\1*|./g) ?? []) {
      const [source, set] = parts[part] ?? [part.replace(/[.]/, '\\$&')];
      pattern += source;
      if (set) this.#setters.push(set);
    }
    this.#pattern = new RegExp(`${pattern}(?!\\w|:\\d)`, 'y');
  }

  /** @returns undefined unless the form begins at `start` and ends where a word ends. */
  read(line: string, start: number): WrittenTime | undefined {
    this.#pattern.lastIndex = start;
    const found = this.#pattern.exec(line);
    if (!found) return undefined;
    const time: WrittenTime = { month: 0, day: 0, hour: 0, minute: 0, second: 0, ms: 0 };
    this.#setters.forEach((set, at) => {
      const text = found[at + 1];
      if (text !== undefined) set(time, text);
    });
    return time;
  }
}

function setter(name: keyof WrittenTime): (time: WrittenTime, text: string) => void {
  return (time, text) => {
    time[name] = Number(text);
  };
}

/** An hour that no clock of twelve hours shows is left out of the day. */
function setHalfDay(time: WrittenTime, half: string): void {
  if (time.hour < 1 || time.hour > 12) time.hour = 24;
  else time.hour = (time.hour % 12) + (half === 'P' ? 12 : 0);
}

function offsetOf(text: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  if (sign === undefined) return zoneNames.get(text) ?? 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
