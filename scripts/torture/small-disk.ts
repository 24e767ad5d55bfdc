import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A file system in memory, in which the servers of a run store their data. */
export interface SmallDisk {
  /** Fills it, and frees it again after so long. */
  fill(milliseconds: number): Promise<void>;
  unmount(): void;
}

const size = '192m';
const piece = Buffer.alloc(1024 * 1024);

/** Mounts a tmpfs on an empty folder. @returns why that is not possible here, as a text. */
export function mountSmallDisk(folder: string): SmallDisk | string {
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder]);
  if (status !== 0) return `a tmpfs cannot be mounted (${error?.message ?? String(stderr).trim()})`;
  const file = join(folder, 'filler');
  return {
    fill: async (milliseconds) => {
      const filler = await open(file, 'w');
      try {
        for (;;) await filler.write(piece);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        await delay(milliseconds);
      } finally {
        await filler.close();
        await rm(file);
      }
    },
    unmount: () => {
      spawnSync('umount', ['-l', folder]);
    },
  };
}
