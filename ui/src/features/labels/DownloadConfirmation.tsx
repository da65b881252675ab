import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog';
import { messages } from '../../contract';

interface DownloadConfirmationProps {
  /** The page from which the desktop app is downloaded. */
  url: string;
  onClose: () => void;
}

/** Says that no print client runs, and offers its download page in a new tab (O 8). */
export function DownloadConfirmation({ url, onClose }: DownloadConfirmationProps) {
  return (
    <ConfirmDialog
      isOpen
      title={messages.PRINT_CLIENT_NOT_RUNNING_TITLE}
      message={messages.PRINT_CLIENT_NOT_RUNNING}
      cancelLabel="No"
      onConfirm={() => {
        globalThis.open(url, '_blank', 'noopener,noreferrer');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
