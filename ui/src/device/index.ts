export { PopupBlocked } from './browser';
export { chooseBridge, DeviceContext, useDevice, usePreference } from './DeviceContext';
export type {
  DeviceBridge,
  Label,
  NewPrinter,
  PortalDocument,
  Preferences,
  Printer,
  PrintJob,
} from './types';
