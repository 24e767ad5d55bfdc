interface PartLinksProps {
  /** The view that has the parts. */
  readonly of: string;
  readonly parts: readonly { readonly href: string; readonly name: string; readonly isCurrent?: boolean }[];
}

/** Links to the parts of a view. */
export function PartLinks({ of, parts }: PartLinksProps) {
  return (
    <nav class="parts" aria-label={`Parts of the ${of}`}>
      <ul>
        {parts.map(({ href, name, isCurrent }) => (
          <li key={href}>
            <a href={href} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
