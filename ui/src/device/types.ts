import type { PrinterLanguage } from '../contract';

/** A label printer set up on this workstation. */
export interface Printer {
  id: string;
  name: string;
  kind: 'tcp' | 'cups' | 'windows';
  address: string;
  language: PrinterLanguage | null;
  dpi: number;
  isDefault: boolean;
}

/** One label in every form a printer may want; `image` is base64 PNG. */
export interface Label {
  title: string;
  image: string;
  zpl: string;
  epl: string;
}

/** A label printer on the network, to be set up on this workstation. */
export interface NewPrinter {
  name: string;
  host: string;
  port: number;
  language: PrinterLanguage;
  dpi: number;
}

export interface PrintJob {
  printerId: string;
  copies: number;
  labels: Label[];
}

/**
 * Small settings of this workstation or browser: theme, column widths, the chosen printer.
 * Never patient data: a browser keeps them in the clear.
 */
export interface Preferences {
  /** null when it was never set. */
  get(key: string): unknown;
  /** Takes effect at once and is kept in the background. */
  set(key: string, value: unknown): void;
  remove(key: string): void;
}

/** A file of the portal to show: fetched with the person's own credential. */
export interface PortalDocument {
  /** Portal path with query, such as `/api/v2/reports/requisition?ids=12`. */
  path: string;
  /** File name offered when it is saved; no patient data. */
  name: string;
}

/** A document that was loaded already; the name holds no patient data. */
export interface LoadedFile {
  base64: string;
  mediaType: string;
  name: string;
}

/** Another window can not be had: a blocked popup, or an app without a screen of its own. */
export class NoNewWindow extends Error {}

/** How it stands in all windows of an app whose windows can not tell each other. */
export interface Presence {
  /** Since somebody worked in any of them. */
  idleSeconds: number;
  /** Counts sign-outs. */
  sessionsEnded: number;
}

/** What a page may ask of the machine it runs on; one implementation per kind of host. */
export interface DeviceBridge {
  readonly preferences: Preferences;
  /** Absent where the windows are tabs of one browser. */
  readonly presence?: { read: () => Promise<Presence>; mark: () => void };
  printers(): Promise<Printer[]>;
  addPrinter(printer: NewPrinter): Promise<Printer>;
  /** Sends labels to a printer; `ApiError` 503 when it does not answer. */
  print(job: PrintJob): Promise<void>;
  /** Opens a portal path in another window; `NoNewWindow` where there can be none. */
  openWindow(path: string): Promise<void>;
  openDocument(document: PortalDocument): Promise<void>;
  /** Shows a document that was loaded already. */
  openFile(file: LoadedFile): Promise<void>;
}
