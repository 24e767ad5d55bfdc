/**
 * The version of package.json. A constant, because a compiled file and its source find that file in
 * different folders.
 */
export const serviceVersion = '0.2.0';
