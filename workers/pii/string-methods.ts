/**
 * Makes the engine look the methods of strings up the fast way, for the whole process and for good; a second call costs nothing.
 *
 * A `class … extends String` anywhere in the process (a Redis client's reply type is one) makes V8 turn `String.prototype` into a
 * dictionary, in the expectation that methods will be added. Uses through an object turn a prototype back, uses through a primitive
 * string do not, so that from then on no `text.charCodeAt(i)` is compiled into the machine code around it: the scanner takes twice as
 * long. Listing a String object's properties walks its prototypes and turns them back, and V8 leaves them so whatever is declared later.
 */
export function keepStringMethodsFast(): void {
  // The walk is done before the first name comes.
  for (const _name in Object('')) break;
}
