import type {
  DeviceBridge,
  LoadedFile,
  NewPrinter,
  PortalDocument,
  Preferences,
  Printer,
  PrintJob,
} from './types';

export class MemoryPreferences implements Preferences {
  private readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key) ?? null;
  }

  set(key: string, value: unknown): void {
    this.values.set(key, value);
  }

  remove(key: string): void {
    this.values.delete(key);
  }
}

/** A bridge for tests. It records every request. */
export class FakeBridge implements DeviceBridge {
  presence: DeviceBridge['presence'];
  readonly preferences = new MemoryPreferences();
  readonly jobs: PrintJob[] = [];
  readonly windows: string[] = [];
  readonly documents: PortalDocument[] = [];
  readonly files: LoadedFile[] = [];
  available: Printer[] = [];
  /** Set to make the next print fail. */
  failure: Error | null = null;

  listPrinters(): Promise<Printer[]> {
    return Promise.resolve(this.available);
  }

  addPrinter({ host, port, ...printer }: NewPrinter): Promise<Printer> {
    const id = `printer-${this.available.length + 1}`;
    const addedPrinter: Printer = {
      ...printer,
      id,
      kind: 'tcp',
      address: `${host}:${port}`,
      isDefault: false,
    };
    this.available.push(addedPrinter);
    return Promise.resolve(addedPrinter);
  }

  print(job: PrintJob): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.jobs.push(job);
    return Promise.resolve();
  }

  openWindow(path: string): Promise<void> {
    this.windows.push(path);
    return Promise.resolve();
  }

  openDocument(document: PortalDocument): Promise<void> {
    this.documents.push(document);
    return Promise.resolve();
  }

  openFile(file: LoadedFile): Promise<void> {
    this.files.push(file);
    return Promise.resolve();
  }
}
