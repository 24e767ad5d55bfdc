/** Durations in milliseconds: `10 * second`. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const startOfUtcDay = (time: Date) => Math.floor(time.getTime() / day) * day;
