/** The effects that the usage of a pipeline leaves out. */
export const pipelineNotes: readonly string[] = [
  'Entries are spread evenly over those seconds of an hour that have any.',
  'Batches of the function do not reach into the next hour. Sends are filled over the whole hour.',
  'After a quiet time, up to five invocations start at once, which is not counted.',
  'A sample keeps a cached prompt in use as long as all entries would, and each hour stores it anew.',
  'A batch job can need a least number of records.',
  'The time in which the function waits for the model counts only as part of duration_ms.',
];
