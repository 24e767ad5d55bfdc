export const chance = (random: () => number, probability: number): boolean => random() < probability;

/** @throws if the list is empty. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  if (list.length === 0) throw new Error('The list to choose from is empty.');
  return list[Math.floor(random() * list.length)] as T;
}
