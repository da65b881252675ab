import { messages } from '../../contract';
import { FormDialog } from './FormDialog';
import { showDialog } from './showDialog';

const WIDTH_PX = 400;

/** Tells the user to disable the popup blocker (P 8), or to open the record here. */
export function showPopupBlocked(openHere: () => void): void {
  showDialog((close) => (
    <FormDialog
      isOpen
      title={messages.POPUP_BLOCKED_TITLE}
      width={WIDTH_PX}
      onClose={close}
      onSubmit={() => {
        close();
        openHere();
      }}
      submitLabel="Open here"
    >
      {messages.POPUP_BLOCKED}
    </FormDialog>
  ));
}
