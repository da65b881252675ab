import { api } from '../api';
import type {
  DeviceBridge,
  NewPrinter,
  PortalDocument,
  Preferences,
  Printer,
  PrintJob,
} from './types';

/** The desktop app: the sidecar prints, opens windows and keeps preferences. */
export class SidecarBridge implements DeviceBridge {
  readonly preferences: Preferences;

  constructor(preferences: Preferences) {
    this.preferences = preferences;
  }

  printers(): Promise<Printer[]> {
    return api.get<Printer[]>('/device/printers');
  }

  addPrinter(printer: NewPrinter): Promise<Printer> {
    return api.post<Printer>('/device/printers', { body: printer });
  }

  async print(job: PrintJob): Promise<void> {
    await api.post<{ printed: number }>('/device/print', { body: job });
  }

  async openWindow(path: string): Promise<void> {
    await api.post('/device/windows', { body: { path } });
  }

  async openDocument(document: PortalDocument): Promise<void> {
    await api.post('/device/documents', { body: document });
  }
}
