import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';

import { SelectField } from '../../../components/fields/SelectField';
import { PageToolbar } from '../../../components/PageToolbar';
import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useRouteParameters } from '../../../components/routeParameters';
import { useScreen } from '../../../components/useMedia';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { kindsQuery, type DataKind } from '../api';
import { KindGrid } from '../components/KindGrid';
import styles from '../components/labData.module.css';

const TITLE = 'Lab Data';
const buildPath = (kind: string) => buildMatrix(paths.labData, { kind });

/** The data maintained by the lab, by kind (ADR 57). */
export default function LabData() {
  return (
    <RecordScreen title={TITLE} loadState={toLoadState(useQuery(kindsQuery))}>
      {(kinds) => <Kinds kinds={kinds} />}
    </RecordScreen>
  );
}

function Kinds({ kinds }: { kinds: readonly DataKind[] }) {
  const navigate = useNavigate();
  const isWide = useScreen() === 'desktop';
  const chosenKind = useRouteParameters()['kind'];
  const kind = kinds.find(({ key }) => key === chosenKind) ?? kinds[0];
  if (kind === undefined) return null;
  return (
    <>
      <PageToolbar title={TITLE} />
      <div className={styles['screen']}>
        {isWide ? (
          <KindList kinds={kinds} current={kind.key} />
        ) : (
          <SelectField
            label="Kind of data"
            value={kind.key}
            options={kinds.map(({ key, title }) => ({ value: key, label: title }))}
            onChange={(key) => void navigate(buildPath(key))}
          />
        )}
        <KindGrid key={kind.key} kind={kind} />
      </div>
    </>
  );
}

function KindList({ kinds, current }: { kinds: readonly DataKind[]; current: string }) {
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return (
    <nav aria-label="Kinds of data" className={styles['kinds']}>
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {kinds
              .filter((kind) => kind.group === group)
              .map(({ key, title }) => (
                <li key={key}>
                  <Link to={buildPath(key)} aria-current={key === current ? 'page' : undefined}>
                    {title}
                  </Link>
                </li>
              ))}
            {group === 'Rules' ? (
              <li>
                <Link to={paths.autoverification}>Autoverification</Link>
              </li>
            ) : null}
          </ul>
        </section>
      ))}
    </nav>
  );
}
