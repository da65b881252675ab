import { useQuery } from '@tanstack/react-query';

import { PageToolbar } from '../../../components/PageToolbar';
import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { operationsQuery } from '../api';
import { DeliveriesPanel } from '../components/DeliveriesPanel';
import { JobsPanel } from '../components/JobsPanel';
import styles from '../components/operations.module.css';
import { AuditPanel, BackupPanel, DatabasePanel, PortalPanel } from '../components/StatePanels';

const TITLE = 'Operations';

/** The state of the portal, for its operators; it refreshes itself. */
export default function Operations() {
  const operations = useQuery(operationsQuery);
  return (
    <RecordScreen title={TITLE} loadState={toLoadState(operations)}>
      {(state) => (
        <>
          <PageToolbar title={TITLE} actions={[]} />
          <div className={styles['page']}>
            <div className={styles['column']}>
              <PortalPanel portal={state.portal} />
              <BackupPanel backup={state.backup} />
              <DeliveriesPanel deliveries={state.deliveries} />
            </div>
            <div className={styles['column']}>
              <DatabasePanel database={state.database} />
              <AuditPanel audit={state.audit} />
              <JobsPanel jobs={state.jobs} />
            </div>
          </div>
        </>
      )}
    </RecordScreen>
  );
}
