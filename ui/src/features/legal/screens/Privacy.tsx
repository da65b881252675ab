import { PageToolbar } from '../../../components/PageToolbar';
import { LegalText } from '../components/LegalText';
import { privacyNotice } from '../privacyNotice';

/** The notice of privacy practices (P 2). */
export default function Privacy() {
  return (
    <>
      <PageToolbar title={privacyNotice.title} />
      <LegalText document={privacyNotice} />
    </>
  );
}
