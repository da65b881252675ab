import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod';

import { describeError } from '../../api';
import { FormDialog } from '../../components/dialogs/FormDialog';
import { SelectField } from '../../components/fields/SelectField';
import { TextField } from '../../components/fields/TextField';
import { Bound } from '../../components/forms/Bound';
import { toasts } from '../../components/toasts';
import { messages, PrinterLanguage } from '../../contract';
import { useDevice, type Printer } from '../../device';

const WIDTH_PX = 380;
const RAW_PORT = '9100';
const HIGHEST_PORT = 65_535;

const schema = z.object({
  name: z.string().trim().min(1, messages.VALUE_REQUIRED),
  host: z.string().trim().min(1, messages.VALUE_REQUIRED),
  port: z.string().refine((text) => Number(text) >= 1 && Number(text) <= HIGHEST_PORT, {
    message: messages.VALUE_INVALID,
  }),
  language: z.enum(PrinterLanguage),
  dpi: z.string(),
});

interface AddPrinterDialogProps {
  onClose: () => void;
  onAdded: (printer: Printer) => void;
}

/** Sets up a network label printer for this workstation. */
export function AddPrinterDialog({ onClose, onAdded }: AddPrinterDialogProps) {
  const device = useDevice();
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: {
      name: '',
      host: '',
      port: RAW_PORT,
      language: PrinterLanguage.ZPL,
      dpi: '203',
    },
  });
  // Not `useWrite`: this workstation stores its printers itself.
  const mutation = useMutation({
    mutationFn: (values: z.infer<typeof schema>) =>
      device.addPrinter({ ...values, port: Number(values.port), dpi: Number(values.dpi) }),
    meta: { quiet: true },
    onSuccess: onAdded,
    onError: (error) => toasts.error(describeError(error)),
  });
  return (
    <FormDialog
      isOpen
      title="Add printer"
      width={WIDTH_PX}
      onClose={onClose}
      onSubmit={() => void form.handleSubmit((values) => mutation.mutate(values))()}
      submitLabel="Add"
      busy={mutation.isPending}
    >
      <Bound control={form.control} name="name">
        {(field) => <TextField {...field} label="Name" required />}
      </Bound>
      <Bound control={form.control} name="host">
        {(field) => <TextField {...field} label="Address" required placeholder="192.168.1.40" />}
      </Bound>
      <Bound control={form.control} name="port">
        {(field) => <TextField {...field} label="Port" required inputMode="numeric" />}
      </Bound>
      <Bound control={form.control} name="language">
        {(field) => (
          <SelectField
            {...field}
            onChange={(value) => field.onChange(value as PrinterLanguage)}
            label="Language"
            options={Object.values(PrinterLanguage).map((value) => ({
              value,
              label: value.toUpperCase(),
            }))}
          />
        )}
      </Bound>
      <Bound control={form.control} name="dpi">
        {(field) => (
          <SelectField
            {...field}
            label="Density"
            options={['203', '300', '600'].map((value) => ({ value, label: `${value} dpi` }))}
          />
        )}
      </Bound>
    </FormDialog>
  );
}
