import { useQuery } from '@tanstack/react-query';

import { portalsQuery } from './api';
import { ConnectionPage } from './ConnectionPage';
import { PortalChoice } from './PortalChoice';

interface PortalChoicePageProps {
  onChosen: () => void;
  onCancel: () => void;
}

/** The page for choosing another portal before sign-in. */
export default function PortalChoicePage(props: PortalChoicePageProps) {
  const { data } = useQuery({ ...portalsQuery, gcTime: 0 });
  return (
    <ConnectionPage>{data ? <PortalChoice choices={data} {...props} /> : null}</ConnectionPage>
  );
}
