/** The kit: what a screen is built from. See ui/README.md. */
export * from './dates';
export * from './instants';
export { periodErrors } from './period';
export { destinationError } from './destination';
export { isEmail } from './email';
export { readDataUrl } from './files';
export { ConfirmDialog } from './dialogs/ConfirmDialog';
export { FormDialog, isAtWork, type FormDialogProps } from './dialogs/FormDialog';
export { GuardedDialog } from './dialogs/GuardedDialog';
export { AsyncPicker, type AsyncPickerProps } from './fields/AsyncPicker';
export { DateField } from './fields/DateField';
export { FormField, type FieldProps } from './fields/FormField';
export { leaves } from './fields/leaves';
export { RadioField, SelectField, type Option } from './fields/SelectField';
export { MaskedField, TextAreaField, TextField } from './fields/TextField';
export { Bound, type BoundField } from './forms/Bound';
export {
  useRecordForm,
  type RecordForm,
  type SaveContext,
  type Versioned,
} from './forms/useRecordForm';
export type { EntryKey } from './forms/merge';
export { REQUISITION_FORM_PATH } from './paths';
export { errorMessages, listMessage, rowMessages } from './forms/errorMessages';
export { refusesUnentered, underWay, unentered } from './forms/unentered';
export { useEntry, type Refusal } from './forms/useEntry';
export { useLatestList } from './forms/useLatestList';
export { hasUnsavedChanges, useUnsavedGuard } from './forms/useUnsavedGuard';
export { applyMask, digitsOf, masks } from './mask';
export {
  buildMatrix,
  isPortalPath,
  parseMatrix,
  splitPersonal,
  type RouteParameters,
} from './matrix';
export { ChosenList } from './ChosenList';
export { Panel } from './Panel';
export { RichTextField } from './richText/RichTextField';
export { ListToolbar, type ListAction } from './rows/ListToolbar';
export { RowGrid, type RowColumn } from './rows/RowGrid';
export {
  canMove,
  inOrder,
  moved,
  onlySelected,
  renumbered,
  without,
  type Ordered,
} from './ordering';
export { forgetRecents, useRecents, type Recent } from './recents/useRecents';
export { focusTitle, PageToolbar, SpeedDial, type PageAction } from './PageToolbar';
export { RouteParametersContext, useIdParameter, useRouteParameters } from './routeParameters';
export { SearchPanel } from './SearchPanel';
export { RequisitionStatusTag, StatusTag, type StatusColour } from './StatusTag';
export { toasts } from './toasts';
export { useOpenPath } from './useOpenPath';
export { useDebounced } from './useDebounced';
export { useDelayedSearch } from './useDelayedSearch';
export { useMedia, useScreen, type Screen } from './useMedia';
