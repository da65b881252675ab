import { useQuery } from '@tanstack/react-query';

import { SelectField } from '../../../components/fields/SelectField';
import { TextAreaField } from '../../../components/fields/TextField';
import { collectionSitesQuery } from '../../settings/api';

export interface ReceptionValues {
  collectionSite: string;
  entryAlert: string;
}

interface ReceptionFieldsProps {
  values: ReceptionValues;
  onChange: (values: ReceptionValues) => void;
}

/** Where the specimens were collected, and the lab's remark on what the order lacks. */
export function ReceptionFields({ values, onChange }: ReceptionFieldsProps) {
  const sites = useQuery(collectionSitesQuery);
  return (
    <>
      <SelectField
        label="Collection Site"
        value={values.collectionSite}
        placeholder="Not stated"
        options={(sites.data ?? []).map(({ name }) => ({ value: name, label: name }))}
        onChange={(collectionSite) => onChange({ ...values, collectionSite })}
      />
      <TextAreaField
        label="Entry Alert"
        helperText="What the order lacks. The client reads it."
        value={values.entryAlert}
        onChange={(entryAlert) => onChange({ ...values, entryAlert })}
      />
    </>
  );
}
