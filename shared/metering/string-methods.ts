/**
 * Gives `String.prototype` fast properties in V8, permanently and for the whole process. A second
 * call costs nothing.
 *
 * Any `class … extends String` in the process puts `String.prototype` into dictionary mode, and the
 * Redis client declares such a class. V8 does not inline `text.charCodeAt(i)` while the prototype
 * is a dictionary, and counting tokens takes twice as long. A method call on a primitive string
 * never restores fast properties. Enumerating a String object restores them, and later subclasses
 * no longer change them.
 */
export function keepStringMethodsFast(): void {
  // V8 visits the prototypes before the first name, so the loop needs no iteration.
  for (const _name in Object('')) break;
}
