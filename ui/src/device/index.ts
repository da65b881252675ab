export { createBridge, DeviceContext, useDevice, usePreference } from './DeviceContext';
export { copyDiagnostics } from './diagnostics';
export { PopupBlocked, WindowUnavailable } from './types';
export type {
  AnsweringPrinter,
  DeviceBridge,
  Label,
  LoadedFile,
  NewPrinter,
  PortalDocument,
  Preferences,
  Printer,
  PrinterChange,
  PrinterProblem,
  PrinterStatus,
  PrintJob,
  PrintRecord,
} from './types';
