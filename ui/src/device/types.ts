import type { DeviceWire } from '../contract';

/** A label printer set up on this workstation. */
export type Printer = DeviceWire<'PrinterAnswer'>;

/** A network label printer to set up on this workstation. */
export type NewPrinter = DeviceWire<'NetworkPrinter'>;

/** Changed settings of a printer; absent settings stay as they are. */
export type PrinterChange = DeviceWire<'PrinterChange'>;

/** What a printer says about itself. */
export type PrinterStatus = DeviceWire<'PrinterStatusAnswer'>;

/** A printer that answers on the network. */
export type AnsweringPrinter = DeviceWire<'FoundPrinter'>;

/** A print job with its progress, or with its outcome. */
export type PrintRecord = DeviceWire<'JobRecord'>;

/** The reason why a printer does not print. */
export type PrinterProblem = PrinterStatus['problems'][number];

/** One label in every format that a printer may need; `image` is base64 PNG. */
export type Label = DeviceWire<'LabelShape'>;

/** Labels to print; a second job with the same id prints nothing. */
export type PrintJob = DeviceWire<'PrintJobRequest'>;

/**
 * Small settings of this workstation or browser: theme, column widths, chosen printer. Never
 * patient data, since a browser stores them unencrypted.
 */
export interface Preferences {
  /** Returns null for a preference that was never set. */
  get(key: string): unknown;
  /** Takes effect at once and is stored in the background. */
  set(key: string, value: unknown): void;
  remove(key: string): void;
}

/** A portal file to show, fetched with the user's own credential. */
export interface PortalDocument {
  /** Portal path with query, such as `/api/v2/reports/requisition?ids=12`. */
  path: string;
  /** Suggested file name; contains no patient data. */
  name: string;
  /** Whether it is a download, which is saved even if the host could show it. */
  isSaved?: boolean;
}

/** A document that is already loaded; its name contains no patient data. */
export interface LoadedFile {
  base64: string;
  mediaType: string;
  name: string;
  /** Whether it is a download, which is saved even if the host could show it. */
  isSaved?: boolean;
}

/** No window can be opened: the popup is blocked, or the app has no screen. */
export class WindowUnavailable extends Error {}

/** The browser's popup blocker prevented a window from opening. */
export class PopupBlocked extends Error {}

/** The shared state of all windows of an app whose windows cannot reach each other. */
export type Presence = DeviceWire<'PresenceRead'>;

/** What a page may ask of the machine it runs on. Each kind of host implements it. */
export interface DeviceBridge {
  readonly preferences: Preferences;
  /** Absent where windows are tabs of one browser. */
  readonly presence?: { read: () => Promise<Presence>; mark: () => void };
  listPrinters(): Promise<Printer[]>;
  addPrinter(printer: NewPrinter): Promise<Printer>;
  changePrinter(id: string, change: PrinterChange): Promise<Printer>;
  removePrinter(id: string): Promise<void>;
  /** Throws `ApiError` 503 when the printer does not respond. */
  readPrinterStatus(id: string): Promise<PrinterStatus>;
  /** Asks one address, or else the network, for label printers. */
  searchPrinters(host?: string, port?: number): Promise<AnsweringPrinter[]>;
  /** Starts a print job and returns before its end. */
  startPrint(job: PrintJob): Promise<PrintRecord>;
  /** Starts printing a test label that shows a ruler and the printer's settings. */
  startRuler(printerId: string, id: string): Promise<PrintRecord>;
  readPrint(id: string): Promise<PrintRecord>;
  /** Sends no more labels of a job to the printer. */
  stopPrint(id: string): Promise<PrintRecord>;
  /**
   * Opens a portal path in another window. Throws `PopupBlocked` if the browser prevents that, and
   * `WindowUnavailable` if the host has no other windows.
   */
  openWindow(path: string): Promise<void>;
  openDocument(document: PortalDocument): Promise<void>;
  /** Shows a document that is already loaded. */
  openFile(file: LoadedFile): Promise<void>;
}
