import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../../shared/amounts.ts';
import { Amount } from '../../components/amount.tsx';
import type { BoxFigures } from './box-figures.ts';
import { type BoxName, boxTitles } from './settings.ts';

interface PipelineBoxesProps {
  readonly figures: readonly BoxFigures[];
  /** The parts with settings that the API refuses. */
  readonly refused: ReadonlySet<BoxName>;
  /** The part that is open at first. */
  readonly first: BoxName | null;
  /** The settings of a part. */
  readonly children: (box: BoxName) => ComponentChildren;
}

/** A pipeline as a row of boxes, of which one is open at a time. */
export function PipelineBoxes({ figures, refused, first, children }: PipelineBoxesProps) {
  const [open, setOpen] = useState(first);
  return (
    <div class="pipeline" role="group" aria-label="Pipeline">
      {figures.map((one) => (
        <>
          <button
            key={one.box}
            type="button"
            class="pipeline-box"
            data-box={one.box}
            aria-expanded={open === one.box}
            onClick={() => setOpen(open === one.box ? null : one.box)}
          >
            <BoxContent figures={one} isRefused={refused.has(one.box)} />
          </button>
          {open === one.box && (
            <div key={`${one.box}-panel`} class="box-panel" role="group" aria-label={`Settings: ${boxTitles[one.box]}`}>
              {children(one.box)}
            </div>
          )}
        </>
      ))}
    </div>
  );
}

interface BoxContentProps {
  readonly figures: BoxFigures;
  readonly isRefused: boolean;
}

/** Commas and spaces between the lines are for screen readers, which say them as one text. */
function BoxContent({ figures: { box, count, unit, details, cost }, isRefused }: BoxContentProps) {
  const line = (name: string, content: ComponentChildren) => (
    <span key={content} class={name}>
      <span class="visually-hidden">, </span>
      {content}
    </span>
  );
  return (
    <>
      <span class="box-title">
        {boxTitles[box]}
        <span class="visually-hidden">: </span>
      </span>
      <span>
        <strong>{formatNumber(count)}</strong> {unit}
      </span>
      {details.map((detail) => line('box-detail', detail))}
      {cost !== undefined && line('box-cost', <Amount usd={cost} />)}
      {isRefused && line('field-error', 'Not possible')}
    </>
  );
}
