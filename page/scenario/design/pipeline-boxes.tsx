import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatFineUsd, formatNumber } from '../../../shared/amounts.ts';
import type { BoxFigures } from './box-figures.ts';
import { type BoxName, boxTitles } from './settings.ts';

interface PipelineBoxesProps {
  readonly figures: readonly BoxFigures[];
  /** The parts with settings that the API refuses. */
  readonly refused: ReadonlySet<BoxName>;
  /** The settings of a part. */
  readonly children: (box: BoxName) => ComponentChildren;
}

/** A pipeline as a row of boxes, of which one is open at a time. */
export function PipelineBoxes({ figures, refused, children }: PipelineBoxesProps) {
  const [open, setOpen] = useState<BoxName | null>(null);
  const buttons = useRef(new Map<BoxName, HTMLButtonElement>());
  const panelId = useId();
  const close = (box: BoxName) => {
    setOpen(null);
    buttons.current.get(box)?.focus();
  };
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
            aria-controls={panelId}
            ref={(element) => {
              if (element) buttons.current.set(one.box, element);
            }}
            onClick={() => setOpen(open === one.box ? null : one.box)}
          >
            <BoxContent figures={one} isRefused={refused.has(one.box)} />
          </button>
          {open === one.box && (
            <BoxPanel key={`${one.box}-panel`} id={panelId} title={boxTitles[one.box]} close={() => close(one.box)}>
              {children(one.box)}
            </BoxPanel>
          )}
        </>
      ))}
    </div>
  );
}

/** Commas and spaces between the lines are for screen readers, which say them as one text. */
function BoxContent({
  figures: { box, count, unit, details, cost },
  isRefused,
}: {
  readonly figures: BoxFigures;
  readonly isRefused: boolean;
}) {
  return (
    <>
      <span class="box-title">
        {boxTitles[box]}
        <span class="visually-hidden">: </span>
        <span class="box-mark" aria-hidden="true" />
      </span>
      <span class="box-count">
        <strong>{formatNumber(count)}</strong> {unit}
      </span>
      {details.map((detail) => (
        <span key={detail} class="box-detail">
          <span class="visually-hidden">, </span>
          {detail}
        </span>
      ))}
      {cost !== undefined && (
        <span class="box-cost">
          <span class="visually-hidden">, </span>
          {formatFineUsd(cost)}
        </span>
      )}
      {isRefused && (
        <span class="field-error">
          <span class="visually-hidden">, </span>
          Not possible
        </span>
      )}
    </>
  );
}

interface BoxPanelProps {
  readonly id: string;
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** Takes the focus when it opens; Escape closes it. */
function BoxPanel({ id, title, close, children }: BoxPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <div
      class="box-panel"
      id={id}
      role="region"
      aria-labelledby={`${id}-title`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="section-head">
        <h3 id={`${id}-title`} tabIndex={-1} ref={heading}>
          {title}
        </h3>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      {children}
    </div>
  );
}
