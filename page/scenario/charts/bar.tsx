interface BarProps {
  /** 0 to 1. */
  readonly share: number;
  readonly color: `series-${string}`;
}

/** A bar below a figure, for those who compare at a glance; the figure says the same. */
export function Bar({ share, color }: BarProps) {
  return (
    <span class="bar" aria-hidden="true">
      <span class={color} style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
    </span>
  );
}
