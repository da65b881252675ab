/** What a legal document consists of. Texts name the lab by `{lab}`, `{address}` and so on. */
import type { Lab } from '../../api';

export interface LegalSection {
  title: string;
  /** A paragraph, or a list of points. */
  content: readonly (string | readonly string[])[];
}

export interface LegalDocument {
  title: string;
  version: string;
  /** Shown in a frame at the top. */
  statement?: string;
  sections: readonly LegalSection[];
}

/** The facts about the lab that a document names; a missing fact has a replacement text. */
export interface LabFacts {
  lab: string;
  address: string;
  phone: string;
  email: string;
}

export function collectFacts(
  lab: Pick<Lab, 'name' | 'address' | 'phone' | 'email'> | null,
): LabFacts {
  return {
    lab: lab?.name ?? 'the laboratory',
    address: lab?.address ?? 'the address on your report',
    phone: lab?.phone ?? 'the phone number on your report',
    email: lab?.email ?? 'the e-mail address on your report',
  };
}

/** Fills the lab's facts into a text. */
export const fillIn = (text: string, facts: LabFacts): string =>
  text.replace(/\{(lab|address|phone|email)\}/g, (_, name: keyof LabFacts) => facts[name]);
