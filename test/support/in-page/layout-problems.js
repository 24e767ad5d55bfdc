// An expression for `page.evaluate`: sentences about texts and controls of the present view that are
// cut off, that overlap, or that are beyond the right edge of the page.
(() => {
  /** In CSS pixels; boxes of glyphs are a little larger than what is drawn of them. */
  const tolerance = 2;
  const controls = 'input, select, textarea, button, progress';

  const isHidden = (element) =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    element.closest('.visually-hidden, .skip-link, option') !== null;

  function* ancestorsOf(element) {
    for (let one = element; one !== null; one = one.parentElement) yield [one, getComputedStyle(one)];
  }

  /** How much of it an ancestor hides for good. What a person has to scroll to is not seen yet. */
  function boundsOf(element, rect) {
    for (const [ancestor, style] of ancestorsOf(element)) {
      if (style.clipPath !== 'none') return { isUnseen: true };
      if (ancestor === document.documentElement || ancestor === document.body) continue;
      if (/auto|scroll/.test(style.overflowX)) {
        const box = ancestor.getBoundingClientRect();
        return { isUnseen: rect.right > box.right + tolerance || rect.left < box.left - tolerance };
      }
      if (/hidden|clip/.test(style.overflow)) {
        const box = ancestor.getBoundingClientRect();
        const beyond = Math.max(
          box.left - rect.left,
          rect.right - box.right,
          box.top - rect.top,
          rect.bottom - box.bottom,
        );
        if (beyond > tolerance)
          return { cutOff: `by ${Math.round(beyond)} px of ${ancestor.className || ancestor.tagName}` };
      }
      // A stuck bar is above what scrolls below it.
      if (/sticky|fixed/.test(style.position)) return { isAbove: true };
    }
    const beyond = Math.max(-rect.left, rect.right - innerWidth) - scrollX;
    return beyond > tolerance ? { cutOff: `by ${Math.round(beyond)} px of the window` } : {};
  }

  const items = [];
  const problems = [];
  function add(element, rect, name) {
    if (rect.width < 1 || rect.height < 1) return;
    const { isUnseen, cutOff, isAbove } = boundsOf(element, rect);
    if (isUnseen) return;
    if (cutOff) problems.push(`${name} is cut off ${cutOff}`);
    if (!isAbove) items.push({ element, rect, name });
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const element = text.parentElement;
    if (text.data.trim() === '' || isHidden(element)) continue;
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) add(element, rect, `“${text.data.trim().slice(0, 40)}”`);
  }
  for (const control of document.querySelectorAll(controls)) {
    if (!isHidden(control))
      add(control, control.getBoundingClientRect(), `<${control.localName}> ${control.name || control.innerText}`);
  }

  // A modal dialog is above everything else.
  const dialog = document.querySelector('dialog[open]');
  const present = dialog ? items.filter(({ element }) => dialog.contains(element)) : items;
  for (const [index, one] of present.entries()) {
    for (const other of present.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      // Lines of a paragraph share the space between their glyphs.
      const shared = Math.max(tolerance, 0.3 * Math.min(one.rect.height, other.rect.height));
      if (width > tolerance && height > shared) problems.push(`${one.name} overlaps ${other.name}`);
    }
  }
  const beyond = document.documentElement.scrollWidth - innerWidth;
  if (beyond > 0) problems.push(`the page is ${beyond} px wider than the window`);
  return [...new Set(problems)];
})();
