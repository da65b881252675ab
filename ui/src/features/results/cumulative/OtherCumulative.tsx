import { Tag } from '@blueprintjs/core';

import { ToxicologyVerdict } from '../../../contract';
import type { MicrobiologyDay, MicrobiologyResult, ToxicologyDay, ToxicologyResult } from './api';
import { CumulativeTable } from './CumulativeTable';
import styles from './cumulative.module.css';
import { buildTable } from './series';

interface CumulativeProps<Day> {
  days: readonly Day[];
  selected: ReadonlySet<string>;
  onSelect: (selectedKeys: ReadonlySet<string>) => void;
}

const Notes = ({ notes }: { notes: readonly (string | null | false)[] }) =>
  notes.filter(Boolean).map((note) => (
    <span key={String(note)} className={styles['note']}>
      {note}
    </span>
  ));

const Critical = () => (
  <Tag minimal intent="danger">
    CRITICAL
  </Tag>
);

function getCellTone({ isAbnormal, isCritical }: { isAbnormal: boolean; isCritical: boolean }) {
  if (isCritical) return 'critical';
  return isAbnormal ? 'abnormal' : undefined;
}

const verdicts: Readonly<Partial<Record<ToxicologyVerdict, string>>> = {
  [ToxicologyVerdict.UNEXPECTED_POSITIVE]: 'unexpected: not reported',
  [ToxicologyVerdict.UNEXPECTED_NEGATIVE]: 'unexpected: reported, not detected',
};

/** The toxicology results of a patient over time. */
export const ToxicologyCumulative = ({ days, ...selection }: CumulativeProps<ToxicologyDay>) => (
  <CumulativeTable
    {...selection}
    label="Cumulative toxicology results"
    table={buildTable<ToxicologyResult>(days)}
    describeRow={({ newest }) => [
      newest.unit,
      newest.cutOff === null ? null : `cut-off ${newest.cutOff}`,
    ]}
    renderCell={(result, { newest }) => (
      <>
        {result.result} {result.isCritical ? <Critical /> : null}
        <Notes
          notes={[
            result.verdict ? (verdicts[result.verdict] ?? null) : null,
            result.cutOff !== newest.cutOff && `cut-off ${result.cutOff ?? 'none'}`,
            result.isCorrected && 'corrected',
            result.specimenFault,
            result.comment,
          ]}
        />
      </>
    )}
    getTone={getCellTone}
  />
);

/** The cultures of a patient over time. */
export const MicrobiologyCumulative = ({
  days,
  ...selection
}: CumulativeProps<MicrobiologyDay>) => (
  <CumulativeTable
    {...selection}
    label="Cumulative microbiology results"
    table={buildTable<MicrobiologyResult>(days)}
    describeRow={({ newest }) => [newest.source, newest.collectionSite]}
    renderCell={(result) => (
      <span className={styles['text']}>
        {[
          result.result,
          ...result.findings,
          ...result.organisms.map(({ name, mark, cultureQuantityName }) =>
            [mark ? `${name} (${mark})` : name, cultureQuantityName].filter(Boolean).join(', '),
          ),
        ]
          .filter(Boolean)
          .join('\n')}{' '}
        {result.isCritical ? <Critical /> : null}
        <Notes
          notes={[
            result.isPreliminary && 'PRELIMINARY',
            result.isCorrected && 'corrected',
            result.comment,
          ]}
        />
      </span>
    )}
    getTone={getCellTone}
  />
);
