// Counts by level as they are stored: one value for all hours of a document, a tenth as large as
// documents would be. Models are named by their position in the list of the hour.
import { architectures } from '../scenarios/assumptions.ts';
import { levelClasses } from '../scenarios/level-class.ts';
import { readSeconds, writeSeconds } from './active-seconds.ts';
import { SequenceReader, SequenceWriter } from './byte-sequence.ts';
import type { LevelCount, LevelFunctionCount, LevelInferenceCount } from './level-count.ts';
import type { HourUsage } from './usage.ts';

/** Hours in the form of the database. */
export interface StoredHours {
  /** Without their levels. */
  hours: HourUsage[];
  /** The levels of all hours. Absent if none has any. */
  levels?: Uint8Array;
}

/** The first byte distinguishes this form from another one. */
const form = 1;

/** @param hours their lists must be in the fixed order, and stay as they are. */
export function packLevels(hours: readonly HourUsage[]): StoredHours {
  const stored: StoredHours = { hours: hours.map(withoutLevels) };
  if (hours.every(({ levels }) => levels === undefined)) return stored;
  const writer = new SequenceWriter();
  writer.integer(form);
  for (const { inference, levels = [] } of hours) {
    const positions = new Map(inference.map(({ model }, position) => [model, position]));
    writer.integer(levels.length);
    for (const level of levels) writeLevel(writer, level, positions);
  }
  return { ...stored, levels: writer.result() };
}

function withoutLevels(hour: HourUsage): HourUsage {
  const { levels: _, ...counters } = hour;
  return counters;
}

/**
 * The hours with their levels.
 * @throws RangeError if the bytes are damaged.
 */
export function unpackLevels({ hours, levels }: StoredHours): HourUsage[] {
  if (levels === undefined) return hours;
  const reader = new SequenceReader(levels);
  if (reader.small() !== form) throw new RangeError('Levels are stored in an unknown form.');
  const unpacked = hours.map((hour): HourUsage => {
    const counts = readList(reader, hour, readLevel);
    return counts.length === 0 ? hour : { ...hour, levels: counts };
  });
  if (!reader.isAtEnd) throw new RangeError('There are more levels than hours.');
  return unpacked;
}

function writeLevel(writer: SequenceWriter, count: LevelCount, positions: ReadonlyMap<string, number>): void {
  writer.integer(levelClasses.indexOf(count.level));
  writer.integer(count.entries);
  writer.integer(count.sizeBytes);
  writer.integer(count.chunks);
  writer.integer(count.functions.length);
  for (const { architecture, mbMs } of count.functions) {
    writer.integer(architectures.indexOf(architecture));
    writer.integer(mbMs);
  }
  writer.integer(count.inference.length);
  for (const row of count.inference) {
    writer.integer(at(positions.get(row.model)));
    writer.integer(row.entries);
    writer.integer(row.inputTokens);
    writer.integer(row.outputTokens);
    writer.integer(row.entriesWithoutOutput);
  }
  writeSeconds(writer, count.seconds);
}

function readLevel(reader: SequenceReader, hour: HourUsage): LevelCount {
  return {
    level: at(levelClasses[reader.small()]),
    entries: reader.integer(),
    sizeBytes: reader.integer(),
    chunks: reader.integer(),
    functions: readList(reader, hour, readFunction),
    inference: readList(reader, hour, readInference),
    seconds: readSeconds(reader),
  };
}

// Named, because functions that are created for every level take longer than what they read.

function readFunction(reader: SequenceReader): LevelFunctionCount {
  return { architecture: at(architectures[reader.small()]), mbMs: reader.integer() };
}

function readInference(reader: SequenceReader, { inference }: HourUsage): LevelInferenceCount {
  return {
    model: at(inference[reader.small()]).model,
    entries: reader.integer(),
    inputTokens: reader.integer(),
    outputTokens: reader.integer(),
    entriesWithoutOutput: reader.integer(),
  };
}

type ReadItem<Item> = (reader: SequenceReader, hour: HourUsage) => Item;

function readList<Item>(reader: SequenceReader, hour: HourUsage, read: ReadItem<Item>): Item[] {
  const count = reader.small();
  if (count === 0) return [];
  // An empty list that is added to has a capacity of 17, and most have one element.
  const list = [read(reader, hour)];
  while (list.length < count) list.push(read(reader, hour));
  return list;
}

function at<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('The levels do not belong to their hours.');
  return value;
}
