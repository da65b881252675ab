import type {
  AnsweringPrinter,
  DeviceBridge,
  LoadedFile,
  NewPrinter,
  PortalDocument,
  Preferences,
  Printer,
  PrinterChange,
  PrinterStatus,
  PrintJob,
  PrintRecord,
} from './types';

const DEFAULTS = {
  dpi: 203,
  size: '2x1',
  darkness: null,
  speed: null,
  offsetX: 0,
  offsetY: 0,
  changedBy: null,
  changedAt: null,
  changedSettings: [],
};

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
  /** The printers that printed a test label. */
  readonly rulers: string[] = [];
  readonly windows: string[] = [];
  readonly documents: PortalDocument[] = [];
  readonly files: LoadedFile[] = [];
  available: Printer[] = [];
  answering: AnsweringPrinter[] = [];
  /** The outcome of the next print; change it while one runs. */
  outcome: Partial<PrintRecord> = {};
  private record: PrintRecord | null = null;
  /** Set to make the next print fail. */
  failure: Error | null = null;

  listPrinters(): Promise<Printer[]> {
    return Promise.resolve([...this.available]);
  }

  addPrinter({ host, port, ...settings }: NewPrinter): Promise<Printer> {
    const printer: Printer = {
      ...DEFAULTS,
      ...settings,
      language: settings.language ?? null,
      id: `printer-${this.available.length + 1}`,
      kind: 'tcp',
      address: `${host}:${port}`,
      isDefault: false,
    };
    this.available.push(printer);
    return Promise.resolve(printer);
  }

  changePrinter(id: string, change: PrinterChange): Promise<Printer> {
    const index = this.available.findIndex((printer) => printer.id === id);
    const { host, port, ...settings } = change;
    const printer = { ...this.available[index], ...settings } as Printer;
    if (host) printer.address = `${host}:${port ?? 9100}`;
    this.available[index] = printer;
    return Promise.resolve(printer);
  }

  removePrinter(id: string): Promise<void> {
    this.available = this.available.filter((printer) => printer.id !== id);
    return Promise.resolve();
  }

  readPrinterStatus(): Promise<PrinterStatus> {
    return Promise.resolve({ isKnown: true, problems: [], waiting: 0 });
  }

  searchPrinters(): Promise<AnsweringPrinter[]> {
    return Promise.resolve(this.answering);
  }

  startPrint(job: PrintJob): Promise<PrintRecord> {
    if (this.failure) return Promise.reject(this.failure);
    this.jobs.push(job);
    const labels = job.labels.length * job.copies;
    return this.start(job.id, job.printerId, labels, job.codes);
  }

  startRuler(printerId: string, id: string): Promise<PrintRecord> {
    this.rulers.push(printerId);
    return this.start(id, printerId, 1, []);
  }

  private start(id: string, printerId: string, labels: number, codes: string[]) {
    const printer = this.available.find((candidate) => candidate.id === printerId)?.name ?? '';
    this.record = {
      id,
      printerId,
      printer,
      labels,
      codes,
      form: 'zpl',
      state: 'sent',
      printed: labels,
      unknown: 0,
      waitsFor: [],
      error: null,
      code: null,
      started: '',
      ended: '',
      ...this.outcome,
    };
    return Promise.resolve(this.record);
  }

  readPrint(): Promise<PrintRecord> {
    if (this.record === null) return Promise.reject(new Error('nothing was printed'));
    return Promise.resolve({ ...this.record, ...this.outcome });
  }

  stopPrint(): Promise<PrintRecord> {
    this.outcome = { ...this.outcome, state: 'stopped' };
    return this.readPrint();
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
