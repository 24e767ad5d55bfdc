/** The effects that the usage of a pipeline leaves out. */
export const pipelineNotes: readonly string[] = [
  'Entries are spread evenly over the seconds of an hour that have any.',
  'Windows do not cross the end of an hour, and send batches fill over the hour.',
  'A quiet mapping starts with up to five batches at once, which is not counted.',
  'Sampling does not thin the seconds in which a cached prompt stays in use, and each hour writes the prompt anew.',
  'A batch job can need a least number of records.',
  'The time in which a function waits for the model is part of duration_ms, or not counted.',
];
