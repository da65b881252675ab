import { Button, type ButtonProps } from '@blueprintjs/core';

import { CaretDownIcon } from './icons';
import { Popup, type PopupProps } from './Popup';

/** Keeps the popover away from the edges of the window. */
const MARGIN = { shift: { padding: 8 } };

interface CaretPopupProps
  extends Pick<PopupProps, 'content'>, Pick<ButtonProps, 'disabled' | 'aria-label'> {
  /** The button's text; without one, only the caret is shown. */
  text?: string;
}

/** A button with a caret, and the short list that it opens below. */
export function CaretPopup({ content, text, ...button }: CaretPopupProps) {
  const caret = <CaretDownIcon />;
  return (
    <Popup
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      middleware={MARGIN}
      content={content}
      renderTarget={({ isOpen, ref, ...target }) => (
        <Button
          {...target}
          {...button}
          ref={ref}
          variant="outlined"
          {...(text === undefined ? { icon: caret } : { text, endIcon: caret })}
          aria-expanded={isOpen}
        />
      )}
    />
  );
}
