import { limits } from '../../contract';
import type { LegalDocument } from './document';

/** The terms: sections 1 to 8, Illinois law, venue Will County (P 2, ADR 64). */
export const terms: LegalDocument = {
  title: 'Terms & Conditions',
  version: limits.TERMS_VERSION,
  sections: [
    {
      title: '1. This agreement',
      content: [
        'These terms are an agreement between {lab}, {address} (the “Laboratory”), and you: the ' +
          'person who signs in, and the clinic, care facility or practice on whose behalf you do so ' +
          '(“you”). They govern your use of this portal, of the desktop application, and of ' +
          'everything that the Laboratory provides through them (the “Portal”).',
        'By accepting these terms you confirm that you are at least 18 years old, or that your ' +
          'parent or guardian accepts them for you, and that you may bind the organization for ' +
          'which you act. If you do not accept them, do not use the Portal.',
        'A written services or business associate agreement between your organization and the ' +
          'Laboratory prevails over these terms where they differ.',
      ],
    },
    {
      title: '2. What you may use the Portal for',
      content: [
        'The Laboratory grants you a limited, revocable right, which is neither exclusive nor ' +
          'transferable, to use the Portal to order tests, to print labels and forms, to read and ' +
          'acknowledge results, and for what else your role offers.',
        'Use it only for patients whom you treat or serve, or, as a patient, for yourself or for ' +
          'those for whom you may decide. You may not',
        [
          'look at, copy or disclose information that you do not need for that purpose;',
          'let somebody else use your account, or use somebody else’s;',
          'probe, overload, decompile or circumvent the Portal or its safeguards;',
          'send anything that is unlawful, harmful or infected;',
          'resell the Portal, or build a competing product by copying it.',
        ],
      ],
    },
    {
      title: '3. Accounts and security',
      content: [
        'Your account is personal. Keep your password and second factor secret, and tell the ' +
          'Laboratory at once, by {phone} or {email}, when somebody else may know them, when a ' +
          'device with the Portal is lost, or when a colleague leaves.',
        'An electronic signature that you give in the Portal counts as your signature by hand. The ' +
          'Portal records who opened, changed, signed and sent what, and when. The Laboratory may ' +
          'suspend an account to protect patients or the Portal.',
      ],
    },
    {
      title: '4. Confidentiality and health information',
      content: [
        'Each party keeps the other’s confidential information secret, uses it only for this ' +
          'agreement, and protects it with at least reasonable care. This does not apply to ' +
          'information that is public, was known before, was obtained lawfully from others, or must ' +
          'be disclosed by law.',
        'Health information of patients is governed by HIPAA, by Illinois law, and by the ' +
          'Laboratory’s Notice of Privacy Practices. You are responsible for having the right to ' +
          'send what you send, including any consent that the law requires.',
        'Report an unauthorized use or disclosure that you learn of to the Laboratory without ' +
          'unreasonable delay.',
      ],
    },
    {
      title: '5. Medical responsibility',
      content: [
        'The Portal supports the work of professionals and does not replace their judgment. The person who ' +
          'orders a test is responsible for its medical necessity, for the accuracy of what is ' +
          'entered, and for reading and acting on results in time. Only the Laboratory’s report is ' +
          'the result; notes by automatic interpretation are not.',
        'Patients: do not change your treatment because of a result before you have talked to your ' +
          'physician. In an emergency call 911. Messages through the Portal are not read around ' +
          'the clock.',
      ],
    },
    {
      title: '6. Ownership, warranty and liability',
      content: [
        'The Portal and its content belong to the Laboratory and its licensors. What you enter ' +
          'remains yours or your patients’; the Laboratory may use it to perform this agreement and ' +
          'as the law permits.',
        'The Portal is provided as it is and as available. To the extent that the law permits, the ' +
          'Laboratory disclaims all implied warranties of the Portal, including merchantability and ' +
          'fitness for a particular purpose. Maintenance and failures of networks may interrupt it; ' +
          'keep a way to order and to receive results without it.',
        'To the extent that the law permits, neither party is liable for indirect or consequential ' +
          'damages or lost profits that arise from the use of the Portal. Nothing here limits ' +
          'liability for the performance of laboratory tests, for willful misconduct, or for what ' +
          'cannot be limited by law.',
      ],
    },
    {
      title: '7. Term, breach and return of materials',
      content: [
        'This agreement begins when you accept it and ends when your account does. You may ask the ' +
          'Laboratory to close your account at any time. The Laboratory may end the agreement by ' +
          'notice of thirty (30) days.',
        'If a party breaches this agreement materially, the other may give written notice. If the ' +
          'breach is not cured within ten (10) days after the notice, the other party may end the ' +
          'agreement at once. Where patients or their information are in danger, the Laboratory may ' +
          'suspend access without waiting.',
        'Within ten (10) days after the end, each party returns or destroys the other’s materials ' +
          'and confidential information, including label printers, supplies and software that the ' +
          'Laboratory has provided, except what the law or professional duties require it to keep. ' +
          'The Laboratory keeps laboratory records for the periods that the law prescribes.',
        'Sections 4, 5, 6, 7 and 8 continue to apply after the end.',
      ],
    },
    {
      title: '8. General',
      content: [
        'The law of the State of Illinois governs this agreement, without its rules on conflicts of ' +
          'laws. The state courts in Will County, Illinois, have exclusive jurisdiction and venue, ' +
          'and both parties consent to it.',
        'The Laboratory may change these terms. The Portal shows changed terms at your next sign-in, ' +
          'and they apply when you accept them.',
        'If a provision is invalid, the others remain in force. A party that does not enforce a ' +
          'provision does not waive it. You may not assign this agreement without the Laboratory’s ' +
          'written consent. Neither party is responsible for delays by causes beyond its reasonable ' +
          'control. Together with the agreements named in section 1, these terms are the whole ' +
          'agreement about the Portal.',
        'Notices to the Laboratory go to {lab}, {address}, or to {email}; notices to you go to the ' +
          'e-mail address of your account.',
      ],
    },
  ],
};
