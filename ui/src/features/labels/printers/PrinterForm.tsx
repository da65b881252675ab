import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm, useWatch, type Control } from 'react-hook-form';

import { ApiError, describeError } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { toasts } from '../../../components/toasts';
import { messages } from '../../../contract';
import { useDevice, type AnsweringPrinter, type Printer } from '../../../device';
import styles from './printers.module.css';
import {
  DARKNESS,
  DENSITIES,
  describeLimitation,
  formatSettings,
  LANGUAGES,
  parseSettings,
  printerSchema,
  SIZES,
  SPEEDS,
  type PrinterSettings,
} from './printerFields';

const WIDTH_PX = 460;

export type EditedPrinter =
  | { kind: 'new' }
  | { kind: 'answering'; answering: AnsweringPrinter }
  | { kind: 'stored'; printer: Printer };

interface PrinterFormProps {
  editedPrinter: EditedPrinter;
  onClose: () => void;
  onSaved: (printer: Printer) => void;
}

/** Sets up a network label printer, or changes the settings of a printer of this workstation. */
export function PrinterForm({ editedPrinter, onClose, onSaved }: PrinterFormProps) {
  const device = useDevice();
  const storedPrinter = editedPrinter.kind === 'stored' ? editedPrinter.printer : null;
  const isNetwork = storedPrinter === null || storedPrinter.kind === 'tcp';
  const form = useForm({
    resolver: zodResolver(printerSchema),
    defaultValues: formatSettings(
      storedPrinter,
      editedPrinter.kind === 'answering' ? editedPrinter.answering : null,
    ),
  });
  /** Shows what this workstation rejects beside its field, and other failures in a toast. */
  const showFailure = (error: Error) => {
    const fields = Object.keys(form.getValues()) as (keyof PrinterSettings)[];
    const rejected = error instanceof ApiError ? error.errors : [];
    const shown = rejected.flatMap(({ field, message }) =>
      fields.filter((name) => name === field).map((name) => ({ name, message })),
    );
    if (shown.length === 0) toasts.error(describeError(error));
    for (const { name, message } of shown) form.setError(name, { type: 'server', message });
  };
  // Not `useWrite`: this workstation stores its printers itself.
  const saveMutation = useMutation({
    mutationFn: (values: PrinterSettings) => {
      const { name, host, port, ...settings } = parseSettings(values);
      if (storedPrinter === null) return device.addPrinter({ name, host, port, ...settings });
      return device.changePrinter(
        storedPrinter.id,
        isNetwork ? { name, host, port, ...settings } : settings,
      );
    },
    meta: { quiet: true },
    onSuccess: onSaved,
    onError: showFailure,
  });
  const askMutation = useMutation({
    mutationFn: () => {
      const { host, port } = form.getValues();
      return device.searchPrinters(host.trim(), Number(port));
    },
    meta: { quiet: true },
    onSuccess: ([answer]) => {
      if (!answer?.language) {
        toasts.warning(messages.PRINTER_TELLS_NOTHING);
        return;
      }
      form.setValue('language', answer.language);
      if (answer.dpi) form.setValue('dpi', String(answer.dpi));
      if (!form.getValues('name') && answer.model) form.setValue('name', answer.model);
    },
    onError: showFailure,
  });
  // Without an address, the whole network would be asked.
  const ask = async () => {
    if (await form.trigger(['host', 'port'], { shouldFocus: true })) askMutation.mutate();
  };
  return (
    <FormDialog
      isOpen
      title={storedPrinter ? 'Edit printer' : 'Add printer'}
      width={WIDTH_PX}
      onClose={onClose}
      onSubmit={() => void form.handleSubmit((values) => saveMutation.mutate(values))()}
      submitLabel={storedPrinter ? 'Save' : 'Add'}
      busy={saveMutation.isPending}
      extra={
        isNetwork ? (
          <ActButton
            variant="minimal"
            size="small"
            text="Ask printer"
            isRunning={askMutation.isPending}
            onClick={() => void ask()}
          />
        ) : null
      }
    >
      <div className={styles['form']}>
        {isNetwork ? (
          <>
            <Bound control={form.control} name="name">
              {(field) => <TextField {...field} label="Name" required />}
            </Bound>
            <div className={styles['pair']}>
              <Bound control={form.control} name="host">
                {(field) => (
                  <TextField {...field} label="Address" required placeholder="192.168.1.40" />
                )}
              </Bound>
              <Bound control={form.control} name="port">
                {(field) => <TextField {...field} label="Port" required inputMode="numeric" />}
              </Bound>
            </div>
          </>
        ) : null}
        <LabelSettings control={form.control} />
      </div>
    </FormDialog>
  );
}

function LabelSettings({ control }: { control: Control<PrinterSettings> }) {
  const limitation = describeLimitation(useWatch({ control, name: 'language' }));
  return (
    <>
      <div className={styles['pair']}>
        <Choice control={control} name="language" label="Language" options={LANGUAGES} />
        <Choice control={control} name="dpi" label="Density" options={DENSITIES} />
      </div>
      <div className={styles['pair']}>
        <Choice control={control} name="size" label="Label size" options={SIZES} />
        <Choice control={control} name="speed" label="Speed" options={SPEEDS} />
      </div>
      <Choice control={control} name="darkness" label="Darkness" options={DARKNESS} />
      <div className={styles['pair']}>
        <Bound control={control} name="offsetX">
          {(field) => <TextField {...field} label="Move right (mm)" />}
        </Bound>
        <Bound control={control} name="offsetY">
          {(field) => <TextField {...field} label="Move down (mm)" />}
        </Bound>
      </div>
      {limitation === null ? null : (
        <div role="note" className={styles['quiet']}>
          {limitation}
        </div>
      )}
    </>
  );
}

interface ChoiceProps {
  control: Control<PrinterSettings>;
  name: 'language' | 'dpi' | 'size' | 'speed' | 'darkness';
  label: string;
  options: readonly { value: string; label: string }[];
}

function Choice({ control, name, label, options }: ChoiceProps) {
  return (
    <Bound control={control} name={name}>
      {(field) => <SelectField {...field} label={label} options={[...options]} />}
    </Bound>
  );
}
