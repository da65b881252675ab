import { Tag } from '@blueprintjs/core';

import { useScreen } from '../../../components/useMedia';
import type { OrganismResult, Sensitivity } from './api';
import { INTERPRETATION_NAMES, InterpretationMark } from './InterpretationMark';
import { listAntibiotics } from './susceptibilities';
import styles from './microbiology.module.css';

interface OrganismProps {
  organism: OrganismResult;
  /** Its number in the culture, if that has several organisms. */
  number: number | null;
}

function OrganismHead({ organism, number }: OrganismProps) {
  return (
    <>
      {number === null ? null : `${number} · `}
      <em>{organism.name}</em>{' '}
      {organism.cultureQuantityName ? (
        <span className={styles['quantity']}>{organism.cultureQuantityName}</span>
      ) : null}{' '}
      {organism.mark ? (
        <Tag minimal intent="danger">
          {organism.mark}
        </Tag>
      ) : null}
    </>
  );
}

const findRow = (organism: OrganismResult, antibiotic: string) =>
  organism.sensitivity.find(({ antibioticName }) => antibioticName === antibiotic);

function Cells({ row }: { row: Sensitivity | undefined }) {
  if (row === undefined) {
    return (
      <>
        <td className={styles['figure']}>
          <span className="quiet" aria-label="not tested">
            —
          </span>
        </td>
        <td />
      </>
    );
  }
  return (
    <>
      <td className={styles['figure']}>{formatValue(row)}</td>
      <td>
        <InterpretationMark flag={row.microbiologyInterpretationType} />
        {row.comment ? <span className={styles['note']}>{row.comment}</span> : null}
      </td>
    </>
  );
}

const SIGNS: Readonly<Record<string, string>> = { '<=': '≤ ', '>=': '≥ ', '<': '< ', '>': '> ' };

/** The value as entered, with a sign that is easy to read. */
const formatValue = ({ mic, method }: Sensitivity) => {
  const value = (mic ?? '').replace(/^(<=|>=|<|>)\s*/, (sign) => SIGNS[sign.trim()] ?? sign);
  return method === 'ZONE' && value !== '' ? `${value} mm` : value;
};

const ORGANISMS_PERCENT = { one: 45, several: 76 };

function Table({ columns }: { columns: readonly OrganismProps[] }) {
  const organisms = columns.map(({ organism }) => organism);
  // Organisms are equally wide, also below each other on phones.
  const percent = ORGANISMS_PERCENT[columns.length === 1 ? 'one' : 'several'] / columns.length;
  return (
    <table className={styles['grid']}>
      <thead>
        <tr>
          <th scope="col">Antibiotic</th>
          {columns.map(({ organism, number }, index) => (
            <th
              key={index}
              scope="colgroup"
              colSpan={2}
              className={styles['organism']}
              style={{ width: `${percent}%` }}
            >
              <OrganismHead organism={organism} number={number} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {listAntibiotics(organisms).map((antibiotic) => (
          <tr key={antibiotic}>
            <th scope="row">{antibiotic}</th>
            {organisms.map((organism, index) => (
              <Cells key={index} row={findRow(organism, antibiotic)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The letters and units that occur in the tables. */
function Legend({ organisms }: { organisms: readonly OrganismResult[] }) {
  const rows = organisms.flatMap(({ sensitivity }) => sensitivity);
  const flags = new Set(rows.map((row) => row.microbiologyInterpretationType));
  const hasMic = rows.some(({ method, mic }) => method !== 'ZONE' && mic !== null);
  return (
    <p className={styles['legend']}>
      {hasMic ? 'MIC in µg/mL. ' : null}
      {Object.entries(INTERPRETATION_NAMES)
        .filter(([flag]) => flags.has(flag as Sensitivity['microbiologyInterpretationType']))
        .map(([flag, name], index) => (
          <span key={flag}>
            {index > 0 ? ' · ' : null}
            <strong>{flag}</strong> {name}
          </span>
        ))}
    </p>
  );
}

/**
 * The organisms of a culture side by side over the same antibiotics; on phones one after another.
 * Organisms without susceptibilities are lines above.
 */
export function SusceptibilityTable({ organisms }: { organisms: readonly OrganismResult[] }) {
  const isPhone = useScreen() === 'phone';
  const numberedOrganisms = organisms.map((organism, index) => ({
    organism,
    number: organisms.length > 1 ? index + 1 : null,
  }));
  const plainOrganisms = numberedOrganisms.filter(
    ({ organism }) => organism.sensitivity.length === 0,
  );
  const testedOrganisms = numberedOrganisms.filter(
    ({ organism }) => organism.sensitivity.length > 0,
  );
  const groups = isPhone ? testedOrganisms.map((column) => [column]) : [testedOrganisms];
  return (
    <>
      {plainOrganisms.map(({ organism, number }, index) => (
        <p key={index} className={styles['line']}>
          <OrganismHead organism={organism} number={number} />
        </p>
      ))}
      {testedOrganisms.length === 0
        ? null
        : groups.map((group, index) => (
            <div
              key={index}
              className={styles['scroll']}
              role="region"
              aria-label={`Susceptibilities of ${group.map(({ organism }) => organism.name).join(', ')}`}
              tabIndex={0}
            >
              <Table columns={group} />
            </div>
          ))}
      {numberedOrganisms.map(({ organism: { name, comment, organismComment }, number }, index) =>
        comment || organismComment ? (
          <p key={index} className={styles['line']}>
            {number === null ? null : `${number} · `}
            <em>{name}</em>: {[organismComment, comment].filter(Boolean).join(' ')}
          </p>
        ) : null,
      )}
      {testedOrganisms.length > 0 ? <Legend organisms={organisms} /> : null}
    </>
  );
}
