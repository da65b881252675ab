import { api, ApiError } from '../api';
import {
  WindowUnavailable,
  type DeviceBridge,
  type LoadedFile,
  type NewPrinter,
  type PortalDocument,
  type Preferences,
  type Presence,
  type Printer,
  type PrintJob,
} from './types';

const NOT_CONFIGURED = 424;

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

  async print(job: PrintJob): Promise<void> {
    await api.post<{ printed: number }>('/device/print', { body: job });
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

  async openFile({ base64, mediaType, name }: LoadedFile): Promise<void> {
    await api.post('/device/documents', { body: { content: base64, mediaType, name } });
  }
}
