import { limits } from '../../contract';
import type { LegalDocument } from './document';

/** The notice of privacy practices: what 45 CFR 164.520 requires (P 2, ADR 64). */
export const privacyNotice: LegalDocument = {
  title: 'Notice of Privacy Practices',
  version: limits.PRIVACY_NOTICE_VERSION,
  statement:
    'THIS NOTICE DESCRIBES HOW MEDICAL INFORMATION ABOUT YOU MAY BE USED AND DISCLOSED AND HOW ' +
    'YOU CAN GET ACCESS TO THIS INFORMATION. PLEASE REVIEW IT CAREFULLY.',
  sections: [
    {
      title: 'Who we are and what this notice covers',
      content: [
        '{lab} tests specimens that your physician, clinic or care facility sends to us. This ' +
          'notice covers the health information that we create or receive about you: who you are, ' +
          'what was ordered and why, your specimens, your results, and who pays for them.',
        'Federal law (the Health Insurance Portability and Accountability Act, HIPAA) and the law ' +
          'of Illinois protect this information. Where Illinois law protects you more, we follow it.',
      ],
    },
    {
      title: 'How we may use and disclose your information without asking you',
      content: [
        'For treatment. We report results to the physician or facility that ordered the test, and ' +
          'to others who treat you. For example, we call your physician at once when a result is critical.',
        'For payment. We send claims to your insurance or to Medicare or Medicaid. For example, we ' +
          'tell your insurance which tests were done and for which diagnosis, so that it pays for them.',
        'For health care operations. We use information to run the laboratory and to keep its ' +
          'quality. For example, our staff compares earlier results with new ones to find errors.',
        'Business associates. Companies that work for us, such as those that bill, store data or ' +
          'carry specimens, may receive what they need. They have agreed in writing to protect it.',
        'To you and to those who act for you. We give you, or the person who may decide for you, ' +
          'your completed reports on request.',
        'To people involved in your care or in paying for it, as far as they need it, if you agree, ' +
          'do not object, or cannot be asked.',
      ],
    },
    {
      title: 'Other purposes for which the law permits or requires disclosure',
      content: [
        [
          'Required by law: whenever federal, state or local law requires it.',
          'Public health: to prevent or control disease, for example reports of infections to the ' +
            'health department, reports of child abuse, and reports to the Food and Drug Administration.',
          'Abuse, neglect or domestic violence: to the authority that the law names.',
          'Health oversight: inspections, audits, licensing and investigations of laboratories.',
          'Courts and agencies: by order of a court, or by subpoena or other lawful process with ' +
            'the safeguards that the law asks for.',
          'Law enforcement: in the cases that the law names, such as by warrant, or to identify a ' +
            'missing person.',
          'Coroners, medical examiners and funeral directors: to identify a deceased person, find ' +
            'the cause of death, or do their work.',
          'Organ, eye and tissue donation: to organizations that arrange it.',
          'Research: if a board has approved it and protects your privacy, or with data that do ' +
            'not identify you directly.',
          'Serious threat: to prevent a serious and imminent threat to health or safety.',
          'Specialized government functions: military, national security, protection of ' +
            'officials, and correctional institutions.',
          'Workers’ compensation: as its laws require.',
          'The Secretary of Health and Human Services: to show that we comply with HIPAA.',
        ],
      ],
    },
    {
      title: 'Information that has more protection',
      content: [
        'Illinois law protects results of HIV tests (AIDS Confidentiality Act), genetic tests ' +
          '(Genetic Information Privacy Act), and records of mental health and developmental ' +
          'disability services (Mental Health and Developmental Disabilities Confidentiality Act) ' +
          'more strictly. We disclose them only as these laws permit, usually with your written consent.',
        'Records of substance use disorder treatment that we receive from a program under 42 CFR ' +
          'Part 2 are not used or disclosed in civil, criminal, administrative or legislative ' +
          'proceedings against you without your written consent or a court order after notice and ' +
          'a chance to be heard. Such an order must come with a subpoena or similar requirement ' +
          'before we use or disclose the record.',
        'Information that was disclosed as this notice describes may be disclosed again by who ' +
          'received it, and may then no longer be protected by HIPAA.',
      ],
    },
    {
      title: 'When we need your written authorization',
      content: [
        'We need it for most uses and disclosures of psychotherapy notes, for marketing, and for ' +
          'any sale of health information. We keep no psychotherapy notes, do no such marketing, ' +
          'and sell no health information.',
        'Every other use or disclosure that this notice does not describe also needs your written ' +
          'authorization. You may revoke it in writing at any time. Revoking does not undo what we ' +
          'did before we received it.',
        'We do not use your information to raise funds.',
      ],
    },
    {
      title: 'Your rights',
      content: [
        [
          'Restrictions. You may ask us to limit what we use or disclose for treatment, payment or ' +
            'operations, or to people involved in your care. We need not agree, with one exception: ' +
            'if you have paid for a test in full yourself, we do not tell your health plan about ' +
            'it when you ask us not to, unless the law requires it.',
          'Confidential communication. You may ask us to reach you in another way or at another ' +
            'place, for example by mail to another address. We accommodate reasonable requests and ' +
            'do not ask why.',
          'Access. You may see and get a copy of your completed test reports and the other records ' +
            'in your designated record set, on paper or electronically, usually within 30 days. We ' +
            'may charge a reasonable fee based on cost. You may have a copy sent to somebody else.',
          'Amendment. You may ask us in writing to correct information that you believe is wrong ' +
            'or incomplete. If we deny it, we tell you why in writing, and you may add a statement.',
          'Accounting. You may ask for a list of certain disclosures that we made in the six years ' +
            'before your request. One list within 12 months is free.',
          'Paper copy. You may have a paper copy of this notice at any time, also if you agreed to ' +
            'receive it electronically.',
          'Notice of a breach. You have the right to be told if your unsecured information was ' +
            'acquired, used or disclosed in a way that HIPAA does not permit.',
          'To use a right, write to the privacy officer named below.',
        ],
      ],
    },
    {
      title: 'Our duties',
      content: [
        'The law requires us to keep your health information private, to give you this notice of ' +
          'our legal duties and privacy practices, and to notify you after a breach of your ' +
          'unsecured health information. We must follow the terms of the notice that is in force.',
        'We may change this notice, and the changed notice then applies to all health information ' +
          'that we have. The notice in force is on this page and available at our laboratory on ' +
          'request. The portal shows a changed notice at your next sign-in.',
      ],
    },
    {
      title: 'Complaints',
      content: [
        'If you believe that your privacy rights were violated, you may complain to our privacy ' +
          'officer, or to the Secretary of the U.S. Department of Health and Human Services, Office ' +
          'for Civil Rights, 200 Independence Avenue SW, Washington, DC 20201, 1-877-696-6775, ' +
          'www.hhs.gov/ocr/complaints. We will not retaliate against you for a complaint.',
      ],
    },
    {
      title: 'Whom to ask',
      content: [
        'Privacy Officer, {lab}, {address}. Phone: {phone}. E-mail: {email}.',
        'This notice is governed by federal law and by the law of the State of Illinois.',
      ],
    },
  ],
};
