/** The help pages: one for each screen, in the words of the people who use it. */
import { mayEver, Role, type Act } from '../../contract';
import { paths } from '../../lib/paths';

export interface HelpTopic {
  /** The parameter of its address. */
  id: string;
  title: string;
  /** The screens that it explains. */
  paths: readonly string[];
  /** Shown only to roles that the rule of this act allows, as the screen is; by default to all. */
  act?: Act;
  /** A role that has the screen, but no use for the page. */
  hiddenFrom?: Role;
  /** Paragraphs, and lists of steps. */
  content: readonly (string | readonly string[])[];
}

export const topics: readonly HelpTopic[] = [
  {
    id: 'start',
    title: 'Finding your way',
    paths: [],
    content: [
      'The menu at the top has the screens of your role. On a phone or a tablet, open it with the button at the top left.',
      [
        'Press ? to see the keys of the screen that you are on.',
        'Press Ctrl+K, or scan a barcode, to open a requisition or an order by its code.',
        'Click a column’s title to sort. Type into the row below the titles to filter.',
        'Ctrl+S saves an open form.',
      ],
      'All times are the lab’s. If your computer’s clock differs, the portal says so.',
      'After some time without activity, you are logged out. Log in again to return to where you were.',
    ],
  },
  {
    id: 'order-search',
    title: 'Order Search: reading results',
    paths: [paths.home],
    content: [
      'An order is a requisition that the lab has received. It appears here with released results.',
      [
        'Choose dates, client, unit, patient or status, and press Search.',
        'Double-click an order to read its results.',
        'Bold orders are unread. A red mark is a critical result.',
        'Select several orders to print, send, sign or acknowledge them together.',
      ],
      'New results appear automatically; your selection stays.',
    ],
  },
  {
    id: 'results',
    title: 'Results of an order',
    paths: [paths.orderResults],
    content: [
      'Results are grouped by kind: clinical, microbiology, toxicology and pathology. H and L are above and below the reference range; HH, LL and AA are critical.',
      [
        'PENDING means that the lab has not released the result.',
        'A corrected result says so and shows what it replaces.',
        'Acknowledge tells others that you have read the results. For a physician, it also clears the unread mark.',
        'Cumulative shows earlier values of the same patient as a table and a chart.',
      ],
      'Missing information, such as a diagnosis, can be filled in here, even after the order is final.',
    ],
  },
  {
    id: 'cumulative',
    title: 'Cumulative results',
    paths: [paths.cumulativeResults],
    content: [
      'One column for each collection, one row for each test.',
      [
        'Set the dates and how many collections to show, and press Search.',
        'Select tests to see them as lines in the chart.',
        'Print makes a report of the results on screen.',
      ],
    ],
  },
  {
    id: 'advanced-search',
    title: 'Advanced Order Search',
    paths: [paths.advancedSearch],
    act: 'openAdvancedSearch',
    content: [
      'Search by any column, or by the value of a result. This screen needs a desktop; it does not open on phones and tablets.',
      [
        'Add a condition: column, operator, value.',
        'For cultures, choose the source, the organism, the resistance mark, or an antibiotic with its interpretation.',
        'Add a group to mix “and” with “or”.',
        'Save a search that you use often.',
        'Export writes all orders that match to a file.',
      ],
    ],
  },
  {
    id: 'critical-results',
    title: 'Critical Results',
    paths: [paths.criticalResults],
    act: 'openCriticalResults',
    content: [
      'Every open row is an order with a critical result that nobody outside the lab has confirmed yet. “Report by” is its time limit; OVERDUE means that the limit has passed.',
      [
        'Call the client. Record whom you reached, and that the value was read back.',
        'If nobody answers, record the attempt. The portal alerts the next contact; if a contact is closed, it alerts the next one at once. The hours of contacts are in Lab Data, such as Mon-Fri 8:00-17:00; Sat 9-12.',
      ],
      'Clinics and physicians see the critical results of their own patients. Only the lab records calls.',
    ],
  },
  {
    id: 'result-entry',
    title: 'Result Entry',
    paths: [paths.resultEntry, paths.resultEntryOrder],
    act: 'openResultEntry',
    content: [
      'The worklist shows the received orders that have tests to do. Open an order to enter its results.',
      [
        'Enter moves to the next result. Flags appear as you type.',
        'Save stores what you entered; clients do not see it yet.',
        'Verify says that a second person has checked the results, if the lab requires it.',
        'Release shows results to clients. To change a released result, correct it and give a reason.',
      ],
      'The portal asks about a value that is far from the last one or outside the possible range. Check the specimen before you confirm it.',
    ],
  },
  {
    id: 'autoverification',
    title: 'Autoverification',
    paths: [paths.autoverification],
    act: 'openAutoverification',
    content: [
      'Within the limits of a rule, an entered result is released without a second look.',
      [
        'Choose a test and type its limits.',
        'Try them out on past results, and read which wrong results would have been released.',
        'Save the limits, then switch the rule on. Changed limits switch it off.',
      ],
    ],
  },
  {
    id: 'result-export',
    title: 'Result Export',
    paths: [paths.resultExport],
    act: 'exportResults',
    content: [
      'Writes released results to a CSV or Excel file.',
      [
        'Choose clients, dates, tests and status.',
        'Look at the preview, then start the export.',
        'Large files are made in the background. They can be downloaded for seven days.',
      ],
      'The file has patient data: store it where only your team can read it.',
    ],
  },
  {
    id: 'requisition-search',
    title: 'Requisition Search',
    paths: [paths.requisitionSearch],
    content: [
      'Requisitions are what you have ordered. Pending ones can still be changed; Done ones were received by the lab.',
      [
        'Select rows to print labels or forms, sign, send, or change who is billed.',
        'Cancel asks for a reason. A canceled requisition stays in the list.',
        'A status “Done” means that the order is in Order Search.',
      ],
    ],
  },
  {
    id: 'requisition',
    title: 'New Requisition',
    paths: [paths.requisitionForm],
    content: [
      [
        'Find the patient by name or code, or register a new one.',
        'Choose tests by code or name, or use a favorite panel.',
        'Check physician, diagnoses, who is billed, and the collection date.',
        'Save. Then print the labels and put one on each tube at the bedside.',
      ],
      'A signature locks what the physician signed. To change that, unsign the requisition first; only the signer can do so.',
      'Unsaved changes are stored as a draft, so they survive even a failure of the computer.',
    ],
  },
  {
    id: 'labels',
    title: 'Labels and printers',
    paths: [],
    hiddenFrom: Role.PATIENT,
    content: [
      'Labels are printed on a label printer of this computer with the desktop app. In a browser they open as a PDF.',
      [
        'Press Labels on a requisition, or select rows and press Print Label.',
        'Choose the printer and press Print. Stop ends a long print after the label that is being printed.',
        'Printers, in that dialog and in the user menu, lists the printers with their status: paper, ribbon, head, pause.',
        'Add printer asks for the printer’s address; Ask printer fills in language and density. Search network lists the printers that answer.',
        'Test label prints a frame and rulers. If a side of the frame is missing, change the offsets or the label size. If a ruler is wrong, change the density.',
      ],
      '“Printed” means that the printer confirmed the label; “sent” means that it accepted the label and says nothing more. After a failure, the portal names the labels that were certainly printed. Check the printer before you print the others again.',
      'A label that is printed again says COPY and a number, such as COPY 2. The Labels dialog shows who printed it before.',
    ],
  },
  {
    id: 'patients',
    title: 'Patients',
    paths: [paths.patientSearch, paths.patientForm],
    act: 'changePatient',
    content: [
      [
        'Search first: the portal shows people who look alike before you register one twice.',
        'Same as Client copies the facility’s address.',
        'Insurance has an order: the first one is billed first.',
        'Timeline shows everything that happened to the patient’s orders.',
      ],
    ],
  },
  {
    id: 'contact-us',
    title: 'Contact us',
    paths: [paths.contactUs],
    content: [
      'Write to the lab. Leave patient names out where the order’s code is enough.',
      'My requests shows whether the message was sent. Waiting means that the mail server does not answer; the portal tries again automatically.',
      'For a critical or urgent question, call the lab.',
    ],
  },
  {
    id: 'supply-request',
    title: 'Supply Request',
    paths: [paths.supplyRequest],
    act: 'requestSupplies',
    content: [
      [
        'Open a category and enter a quantity and a unit: Count, Box or Case.',
        'A comment goes with the supply. On phones and tablets, the pencil opens it.',
        'Supplies without a quantity or without a unit are not sent.',
      ],
    ],
  },
  {
    id: 'users',
    title: 'Users',
    paths: [paths.users],
    act: 'administerUsers',
    content: [
      'Who may sign in, with which role, and for which clients, physicians or patients. A Client Admin sees the users of their own clients.',
      [
        'Add a user: the portal e-mails a link to choose a password, valid for 72 hours.',
        'Resend: sends a new link if the first one has expired or was lost.',
        'Edit: if you change the role or remove an assignment, the user is signed out.',
        'Delete: the user is signed out at once. Records of what the user did keep the user’s name.',
        'Show inactive: also lists people who cannot sign in at the moment.',
      ],
      'Entries with a lock belong to other clients and stay as they are. Only somebody else can change your own role, assignments and e-mail.',
      'Create User in a patient’s form invites the patient.',
    ],
  },
  {
    id: 'lab-data',
    title: 'Lab Data: clients, tests, ranges and the other lists',
    paths: [paths.labData],
    act: 'openLabData',
    content: [
      'The lists that the portal runs on: clients with units and rooms, physicians, tests with their reference ranges, payers, supplies, breakpoints, cutoffs, reasons and more. A Superuser changes all of them; the laboratory changes the tables of its benches.',
      [
        'Choose a list on the left. On a phone, choose it above the rows.',
        'Press Enter on a row, or click it, to open it. Its tabs show what belongs to it, such as the ranges of a test, and its history.',
        'Switch off In use when something is no longer used. Nothing is deleted, and old records stay as they are.',
        'Export CSV gives you the whole list. Change it in a spreadsheet and press Import CSV: you see each change before anything happens.',
      ],
      'A new range or name applies to results that are entered from now on. Results that are already released keep the range and the name that they had.',
    ],
  },
  {
    id: 'audit-log',
    title: 'Audit Log',
    paths: [paths.auditLog],
    act: 'openAuditLog',
    content: [
      'Who saw or changed which patient, requisition, order or setting, newest first. At first it shows the entries of today.',
      [
        'Patient: also finds what people did with the requisitions, orders and results of the patient, and requests that were denied.',
        'A double click shows the detail; a change has the old and the new value.',
        'Access Report: choose a patient, and print who looked at the record in the period. The timeline of a patient leads there, too.',
        'Export: all entries of the search as CSV or XLSX.',
      ],
      'Reading the audit log is recorded as well. Entries are sealed within a minute: nobody can change or remove them unnoticed.',
    ],
  },
  {
    id: 'operations',
    title: 'Operations',
    paths: [paths.operations],
    act: 'openOperations',
    content: [
      'How the portal is doing: database, background jobs, deliveries, backup and audit log. The page refreshes itself every ten seconds.',
      [
        'Failed jobs: those whose last try failed. A job with a next try runs again by itself at that time.',
        'Retry: runs such a job now, after you have fixed what stopped it.',
        'Give up: removes the job; its work stays undone.',
        'Backup: warns when the last one is older than a day. The operators of the portal make backups.',
        'Audit log: warns when entries are not sealed, or when the nightly verification fails. Do not change anything then, and call an operator.',
      ],
    ],
  },
  {
    id: 'lab-settings',
    title: 'Lab Settings',
    paths: [paths.labSettings],
    act: 'openLabSettings',
    content: [
      'Name, address and license appear on every report; the logo appears in the header. Changes apply at once, to everybody.',
      [
        'Result entry: who besides the laboratory may enter results.',
        'Test columns: up to five tests that Order Search shows beside each order.',
        'Send a test e-mail or fax after the operator has changed the mail server.',
      ],
      'A new time zone changes “now” and “today”, not the times that are stored.',
    ],
  },
  {
    id: 'legal',
    title: 'Privacy and terms',
    paths: [paths.privacy, paths.terms],
    content: [
      'Both are shown at your first sign-in, and again when they have changed. You find them in the footer at any time.',
    ],
  },
  {
    id: 'signing-in',
    title: 'Signing in and passwords',
    paths: [],
    content: [
      [
        'Can’t login? sends a link for a new password. It is valid for 10 minutes and works once.',
        'After several wrong passwords, wait as long as the page says.',
        'A password has at least 8 characters, a digit and one of ! @ # $ % ^ - + & *.',
        'Log out on computers that you share.',
      ],
    ],
  },
];

/** The topics that a role may read. */
export const listTopics = (role: Role): HelpTopic[] =>
  topics.filter(
    ({ act, hiddenFrom }) => hiddenFrom !== role && (act === undefined || mayEver(act, role)),
  );

/** Returns the topics that have all words of the search, those with one in the title first. */
export function searchTopics(all: readonly HelpTopic[], search: string): HelpTopic[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const matching = all.filter(({ title, content }) =>
    hasAll(`${title} ${content.flat().join(' ')}`),
  );
  const inTitle = matching.filter(({ title }) => hasAll(title));
  return [...inTitle, ...matching.filter((topic) => !inTitle.includes(topic))];
}
