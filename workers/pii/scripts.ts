// The scripts of letters, as far as the words of keys distinguish them.

/** Accents that follow their letter, of any script. */
export function isAccent(code: number): boolean {
  return code >= 0x300 && code < 0x370;
}

export function isLatin(code: number): boolean {
  return code < 0x300 || (code >= 0x1e00 && code < 0x1f00);
}
