import { PageToolbar } from '../../../components/PageToolbar';
import { LegalText } from '../components/LegalText';
import { terms } from '../terms';

/** The terms and conditions (P 2). */
export default function Terms() {
  return (
    <>
      <PageToolbar title={terms.title} />
      <LegalText document={terms} />
    </>
  );
}
