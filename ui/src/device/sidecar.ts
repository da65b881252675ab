import { api, ApiError } from '../api';
import {
  WindowUnavailable,
  type DeviceBridge,
  type AnsweringPrinter,
  type LoadedFile,
  type NewPrinter,
  type PortalDocument,
  type Preferences,
  type Presence,
  type Printer,
  type PrinterChange,
  type PrinterStatus,
  type PrintJob,
  type PrintRecord,
} from './types';

const NOT_CONFIGURED = 424;

const buildPrinterPath = (id: string) => `/device/printers/${encodeURIComponent(id)}`;

/** The desktop app: the sidecar prints, opens windows and stores preferences. */
export class SidecarBridge implements DeviceBridge {
  readonly preferences: Preferences;

  constructor(preferences: Preferences) {
    this.preferences = preferences;
  }

  readonly presence = {
    read: () => api.get<Presence>('/device/presence'),
    mark: () => void api.post('/device/presence').catch(() => undefined),
  };

  listPrinters(): Promise<Printer[]> {
    return api.get<Printer[]>('/device/printers');
  }

  addPrinter(printer: NewPrinter): Promise<Printer> {
    return api.post<Printer>('/device/printers', { body: printer });
  }

  changePrinter(id: string, change: PrinterChange): Promise<Printer> {
    return api.put<Printer>(buildPrinterPath(id), { body: change });
  }

  async removePrinter(id: string): Promise<void> {
    await api.delete(buildPrinterPath(id));
  }

  readPrinterStatus(id: string): Promise<PrinterStatus> {
    return api.get<PrinterStatus>(`${buildPrinterPath(id)}/status`);
  }

  searchPrinters(host?: string, port?: number): Promise<AnsweringPrinter[]> {
    const body = host === undefined ? {} : { host, port };
    return api.post<AnsweringPrinter[]>('/device/printers/search', { body });
  }

  startPrint(job: PrintJob): Promise<PrintRecord> {
    return api.post<PrintRecord>('/device/print-jobs', { body: job });
  }

  startRuler(printerId: string, id: string): Promise<PrintRecord> {
    return api.post<PrintRecord>('/device/print-jobs/ruler', { body: { printerId, id } });
  }

  readPrint(id: string): Promise<PrintRecord> {
    return api.get<PrintRecord>(`/device/print-jobs/${id}`);
  }

  stopPrint(id: string): Promise<PrintRecord> {
    return api.post<PrintRecord>(`/device/print-jobs/${id}/stop`);
  }

  async openWindow(path: string): Promise<void> {
    try {
      await api.post('/device/windows', { body: { path } });
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_CONFIGURED)
        throw new WindowUnavailable();
      throw error;
    }
  }

  async openDocument(document: PortalDocument): Promise<void> {
    await api.post('/device/documents', { body: document });
  }

  async openFile({ base64, mediaType, name, isSaved = false }: LoadedFile): Promise<void> {
    await api.post('/device/documents', { body: { content: base64, mediaType, name, isSaved } });
  }
}
