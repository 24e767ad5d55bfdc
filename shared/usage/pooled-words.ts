import { activeSecondsWords } from './level-count.ts';

/** 29 KB, which are freed together. */
const arraysPerPool = 64;
let pool = new Int32Array(0);
let used = 0;

/**
 * A zero for each of the words of `ActiveSeconds`, in memory that is shared with other arrays: for
 * arrays that are soon dropped. Memory of its own takes longer to create and to free than an hour
 * takes to read.
 */
export function pooledWords(): Int32Array {
  if (used === pool.length) {
    pool = new Int32Array(arraysPerPool * activeSecondsWords);
    used = 0;
  }
  used += activeSecondsWords;
  return pool.subarray(used - activeSecondsWords, used);
}
