import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm, type Control } from 'react-hook-form';

import { describeError } from '../../../api';
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
    onError: (error) => toasts.error(describeError(error)),
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
    onError: (error) => toasts.error(describeError(error)),
  });
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
            onClick={() => askMutation.mutate()}
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
