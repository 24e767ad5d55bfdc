import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets other processes go first where they share cores with a process that has just been started.
 * @param niceness is added to its nice value. With 3, it gets half the time of a process that is as
 * busy.
 */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(getPriority(pid) + niceness, constants.priority.PRIORITY_LOW));
    // Linux with autogroups compares nice values only within a session, and gives sessions nice
    // values of their own. The process leads a session.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // The process has ended, or the system has no autogroups.
  }
}
