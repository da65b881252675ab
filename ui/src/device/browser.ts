import { api, ApiError } from '../api';
import { messages } from '../contract';
import { BrowserPreferences } from './preferences';
import {
  PopupBlocked,
  type DeviceBridge,
  type LoadedFile,
  type PortalDocument,
  type Printer,
} from './types';

function isInstalledApp(): boolean {
  return globalThis.matchMedia('(display-mode: standalone)').matches;
}

function rejectPrinting(): Promise<never> {
  return Promise.reject(new Error('this browser has no label printer'));
}

/** Long enough for the new tab to load the document. */
const BLOB_LIFE_MS = 60_000;

/** The kinds of document that browsers show; others are downloaded. */
const SHOWN_TYPES: readonly string[] = ['application/pdf', 'image/png', 'image/jpeg'];

/** An ordinary browser: windows are tabs, documents are blobs, and there is no label printer. */
export class BrowserBridge implements DeviceBridge {
  readonly preferences = new BrowserPreferences();
  private readonly navigate: (path: string) => void;

  /** `navigate` opens a path in place, for installed apps and handhelds. */
  constructor(navigate: (path: string) => void) {
    this.navigate = navigate;
  }

  listPrinters(): Promise<Printer[]> {
    return Promise.resolve([]);
  }

  readonly addPrinter = rejectPrinting;
  readonly changePrinter = rejectPrinting;
  readonly removePrinter = rejectPrinting;
  readonly readPrinterStatus = rejectPrinting;
  readonly searchPrinters = rejectPrinting;
  readonly startPrint = rejectPrinting;
  readonly startRuler = rejectPrinting;
  readonly readPrint = rejectPrinting;
  readonly stopPrint = rejectPrinting;

  openWindow(path: string): Promise<void> {
    if (isInstalledApp()) {
      this.navigate(path);
      return Promise.resolve();
    }
    return globalThis.open(path, '_blank') === null
      ? Promise.reject(new PopupBlocked())
      : Promise.resolve();
  }

  async openDocument({ path, name, isSaved = false }: PortalDocument): Promise<void> {
    await this.showBlob(await api.blob(path), name, isSaved);
  }

  openFile({ base64, mediaType, name, isSaved = false }: LoadedFile): Promise<void> {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return this.showBlob(new Blob([bytes], { type: mediaType }), name, isSaved);
  }

  /** Shows or saves a document; an empty one is rejected as on the desktop (R 8). */
  private showBlob(content: Blob, name: string, isSaved = false): Promise<void> {
    if (content.size === 0) {
      const problem = { code: 'document_unavailable', detail: messages.DOCUMENT_UNAVAILABLE };
      return Promise.reject(new ApiError(503, problem));
    }
    const url = URL.createObjectURL(content);
    setTimeout(() => URL.revokeObjectURL(url), BLOB_LIFE_MS);
    // If the download ended too long after the click, the popup is blocked: save the file instead.
    const canShow = !isSaved && SHOWN_TYPES.includes(content.type);
    if (canShow && globalThis.open(url, '_blank') !== null) return Promise.resolve();
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    return Promise.resolve();
  }
}
