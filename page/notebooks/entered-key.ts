/**
 * An API key as a person has entered it. A header can have no other characters.
 * @throws Error if it cannot be a key.
 */
export function keyFrom(text: string): string {
  const key = text.trim();
  if (key === '') throw new Error('Enter an API key.');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Error('An API key has only letters, digits and underscores, without spaces.');
  return key;
}
