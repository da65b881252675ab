import { api } from '../api';
import { BrowserPreferences } from './preferences';
import {
  NoNewWindow,
  type DeviceBridge,
  type LoadedFile,
  type PortalDocument,
  type Printer,
} from './types';

function runsAsInstalledApp(): boolean {
  return globalThis.matchMedia('(display-mode: standalone)').matches;
}

/** Long enough for the new tab to have read the document. */
const BLOB_LIFE_MS = 60_000;

/** An ordinary browser: windows are tabs, documents are blobs, there are no label printers. */
export class BrowserBridge implements DeviceBridge {
  readonly preferences = new BrowserPreferences();
  private readonly goTo: (path: string) => void;

  /** `goTo` navigates in place, for an installed app and for handhelds. */
  constructor(goTo: (path: string) => void) {
    this.goTo = goTo;
  }

  printers(): Promise<Printer[]> {
    return Promise.resolve([]);
  }

  addPrinter(): Promise<Printer> {
    return Promise.reject(new Error('this browser has no label printer'));
  }

  print(): Promise<void> {
    return Promise.reject(new Error('this browser has no label printer'));
  }

  openWindow(path: string): Promise<void> {
    if (runsAsInstalledApp()) {
      this.goTo(path);
      return Promise.resolve();
    }
    return globalThis.open(path, '_blank') === null
      ? Promise.reject(new NoNewWindow())
      : Promise.resolve();
  }

  async openDocument({ path, name }: PortalDocument): Promise<void> {
    this.show(await api.blob(path), name);
  }

  openFile({ base64, mediaType, name }: LoadedFile): Promise<void> {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    this.show(new Blob([bytes], { type: mediaType }), name);
    return Promise.resolve();
  }

  private show(content: Blob, name: string): void {
    const url = URL.createObjectURL(content);
    setTimeout(() => URL.revokeObjectURL(url), BLOB_LIFE_MS);
    // The fetch may have outlived the click, and then the popup is blocked: download instead.
    if (content.type === 'application/pdf' && globalThis.open(url, '_blank') !== null) return;
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
  }
}
