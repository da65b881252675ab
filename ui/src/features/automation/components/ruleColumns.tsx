import { Tag } from '@blueprintjs/core';

import type { GridColumn } from '../../../components/grid/types';
import { formatTimestamp } from '../../../lib/dates';
import type { RuleRow } from '../api';
import { explainDifference, findDifference } from '../limits';

function StateTag({ row }: { row: RuleRow }) {
  const difference = findDifference(row);
  if (difference !== null) {
    return (
      <Tag minimal={!row.isOn} intent="warning" title={explainDifference(row) ?? undefined}>
        {difference === 'unit' ? 'OTHER UNIT' : 'OTHER METHOD'}
      </Tag>
    );
  }
  if (row.isOn) return <Tag intent="success">ON</Tag>;
  return <Tag minimal>{row.isTried ? 'TRIED OUT' : 'OFF'}</Tag>;
}

/** '3.6 - 5 mmol/L'. */
const formatLimits = ({ low, high, unit }: RuleRow) =>
  [`${low} - ${high}`, unit].filter(Boolean).join(' ');

/** '15 % in 30 d', or nothing. */
function formatChange({ deltaPercent, deltaDays }: RuleRow): string {
  if (deltaPercent === null) return '';
  return deltaDays === null ? `${deltaPercent} %` : `${deltaPercent} % in ${deltaDays} d`;
}

/** The columns of the rules: what is released automatically, and since when. */
export const ruleColumns: readonly GridColumn<RuleRow>[] = [
  {
    id: 'code',
    title: 'Code',
    width: 84,
    cell: (row) => row.code,
    sort: 'code',
    filter: 'code',
    rigid: true,
  },
  {
    id: 'name',
    title: 'Test',
    width: 200,
    growth: 2,
    cell: (row) => row.name,
    sort: 'name',
    filter: 'name',
    card: 'title',
  },
  {
    id: 'state',
    title: 'State',
    width: 136,
    cell: (row) => <StateTag row={row} />,
    rigid: true,
    card: 'aside',
  },
  { id: 'limits', title: 'Released within', width: 150, cell: formatLimits },
  {
    id: 'abnormal',
    title: 'Abnormal',
    width: 90,
    cell: (row) => (row.allowsAbnormal ? 'Released' : 'Waits'),
    dropOrder: 1,
  },
  { id: 'change', title: 'Largest change', width: 136, cell: formatChange, dropOrder: 2 },
  {
    id: 'switched',
    title: 'Switched',
    width: 214,
    cell: (row) => [formatTimestamp(row.switchedAt), row.switchedBy].filter(Boolean).join(' · '),
    dropOrder: 3,
  },
  {
    id: 'version',
    title: 'Version',
    width: 76,
    cell: (row) => String(row.version),
    rigid: true,
    dropOrder: 4,
  },
];
