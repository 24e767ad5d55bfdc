import { announce } from './announcer.tsx';

/** Text to copy, such as a command or a key. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${label} copied.`);
    } catch {
      announce('The browser does not allow this page to copy. Select the text and copy it.');
    }
  }
  return (
    <div class="copyable">
      <pre tabIndex={0} aria-label={label} role="region">
        <code>{text}</code>
      </pre>
      {/* The clipboard exists in secure contexts only; elsewhere, the text can be selected. */}
      {navigator.clipboard && (
        <button type="button" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          Copy
        </button>
      )}
    </div>
  );
}
