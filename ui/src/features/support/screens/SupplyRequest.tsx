import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Control } from 'react-hook-form';

import { useHasRole, useProfile } from '../../../api';
import { Bound } from '../../../components/forms/Bound';
import { EnvelopeIcon } from '../../../components/icons';
import { PageToolbar } from '../../../components/PageToolbar';
import { Panel } from '../../../components/Panel';
import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { RichTextField } from '../../../components/richText/RichTextField';
import { limits, messages, Role } from '../../../contract';
import { clientsByIdQuery } from '../../clients/api';
import { ClientPicker } from '../../clients/components/ClientPicker';
import { requestSupplies, supplyCategoriesQuery, type SupplyCategory } from '../api';
import { MyRequests } from '../components/MyRequests';
import { SupplyGrid } from '../components/SupplyGrid';
import styles from '../components/support.module.css';
import { WriterFields } from '../components/WriterFields';
import {
  buildSupplySchema,
  fillWriter,
  toSupplyRequest,
  type SupplyValues,
  type WriterValues,
} from '../form';
import { useSupportForm } from '../useSupportForm';

const TITLE = 'Supply Request';
const LABELS = {
  lastName: 'Last Name',
  firstName: 'First Name',
  email: 'Email',
  phone: 'Phone',
};

/** Supply Request: what a client needs from the lab, by e-mail (P 2). */
export default function SupplyRequest() {
  const categories = useQuery(supplyCategoriesQuery);
  const { data } = useProfile();
  const [onlyId] = data.clients;
  const hasOne = data.clients.length === 1 && onlyId !== undefined;
  const own = useQuery({ ...clientsByIdQuery(hasOne ? [onlyId] : []), enabled: hasOne });
  const isWaiting = hasOne && own.data === undefined && !own.isError;
  const loadState = toLoadState(categories);
  return (
    <RecordScreen
      title={TITLE}
      loadState={isWaiting ? { ...loadState, data: undefined } : loadState}
    >
      {(loadedCategories) => <Form categories={loadedCategories} client={own.data?.[0] ?? null} />}
    </RecordScreen>
  );
}

interface FormProps {
  categories: readonly SupplyCategory[];
  /** The only client of the user, or null. */
  client: SupplyValues['client'];
}

function Form({ categories, client }: FormProps) {
  const profile = useProfile();
  const needsClient = !useHasRole(Role.PHYSICIAN, Role.PATIENT);
  const schema = useMemo(() => buildSupplySchema(needsClient), [needsClient]);
  const [defaults] = useState<SupplyValues>(() => ({
    ...fillWriter(profile),
    client,
    wishes: {},
  }));
  const { form, submit, isSending, guard } = useSupportForm({
    schema,
    defaults,
    toBody: (values) => toSupplyRequest(values, categories),
    send: requestSupplies,
    failure: messages.SUPPLY_FAILED,
    notConfigured: messages.NOT_CONFIGURED,
  });
  const { control } = form;
  return (
    <>
      <PageToolbar
        title={TITLE}
        sticky
        actions={[
          {
            label: 'Send',
            icon: <EnvelopeIcon />,
            intent: 'primary',
            loading: isSending,
            isAlwaysShown: true,
            onClick: () => {
              if (!isSending) submit();
            },
          },
        ]}
      />
      <div className={`${styles['screen']} ${styles['wide']}`}>
        <form
          aria-label={TITLE}
          className={styles['form']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSending) submit();
          }}
        >
          {guard}
          <Panel title="Who asks">
            <WriterFields control={control as unknown as Control<WriterValues>} labels={LABELS} />
            {needsClient ? (
              <div style={{ maxWidth: limits.CLIENT_SELECTOR_WIDTH_PX }}>
                <Bound control={control} name="client">
                  {({ inputRef: _, name: __, ...field }) => <ClientPicker {...field} required />}
                </Bound>
              </div>
            ) : null}
            <Bound control={control} name="message">
              {({ name: _, ...field }) => <RichTextField {...field} label="Message" required />}
            </Bound>
          </Panel>
          <Bound control={control} name="wishes">
            {({ value, onChange, inputRef }) => (
              <SupplyGrid
                categories={categories}
                wishes={value}
                onChange={onChange}
                inputRef={inputRef}
              />
            )}
          </Bound>
        </form>
        <MyRequests />
      </div>
    </>
  );
}
