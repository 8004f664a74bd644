import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useLayoutEffect, useState } from 'react';
import { useTexts } from '../texts';
import { Problem } from './problem';

/** What has the focus; of a menu, which is closed when its item opens a dialog, the button. */
function focused(): HTMLElement | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return menu ? document.getElementById(menu) : (activeElement as HTMLElement | null);
}

/**
 * Gives the focus back to what opened a dialog. Mantine does so only for dialogs that stay mounted when they are closed. A dialog that follows
 * another one was opened by what had opened the first.
 */
export function useFocusBack(): void {
  const [opener] = useState(focused);
  useLayoutEffect(() => {
    const before = opener?.isConnected ? opener : focused();
    return () => before?.focus({ preventScroll: true });
  }, [opener]);
}

interface DialogProps {
  title: string;
  wide?: boolean;
  /** The button that ends it, if that is all there is to do. */
  done?: ReactNode;
  children: ReactNode;
  onClose(): void;
}

export function Dialog({ title, wide, done, children, onClose }: DialogProps) {
  const { close } = useTexts();
  useFocusBack();
  return (
    <Modal
      opened
      centered
      title={title}
      size={wide ? 'lg' : 'md'}
      onClose={onClose}
      // Mantine would write a `<style>` element, which the content security policy forbids.
      lockScroll={false}
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack gap={16}>
        {children}
        {done && (
          <Group component="footer" justify="flex-end">
            <Button onClick={onClose}>{done}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

interface ActionProps {
  action: string;
  keep?: string;
  danger?: boolean;
  /** What is done, with its progress and its error. */
  change?: { isPending: boolean; error: Error | null; mutate: (given: never) => void };
  pending?: boolean;
  disabled?: boolean;
  error?: Error | null;
  onClose(): void;
}

/** What stands in for the properties that only some need. */
const doneBy = ({ change, pending = change?.isPending, error = change?.error, ...rest }: ActionProps) => ({
  ...{ ...rest, pending, error },
  run: change?.mutate as (() => void) | undefined,
});

interface ConfirmProps extends ActionProps {
  title: string;
  wide?: boolean;
  /** What the action changes, and what it keeps. */
  children: ReactNode;
  /** Absent: the change. */
  onConfirm?(): void;
}

/** Asks for confirmation before an irreversible action. Render it only while it is open. */
export function Confirm({ title, wide, children, onConfirm, ...props }: ConfirmProps) {
  const { run, ...action } = doneBy(props);
  return (
    <Dialog title={title} wide={wide} onClose={action.onClose}>
      {children}
      <Action {...action} onConfirm={onConfirm ?? (() => run?.())} />
    </Dialog>
  );
}

interface FormDialogProps extends ActionProps {
  title: string;
  wide?: boolean;
  children: ReactNode;
  /** Absent: the change. */
  onSubmit?(): void;
}

/** A dialog with a form: Enter sends it. Its error is what no field shows. */
export function FormDialog({ title, wide, children, onSubmit, ...props }: FormDialogProps) {
  const { run = () => {}, ...action } = doneBy(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!action.pending) (onSubmit ?? run)();
  };
  return (
    <Dialog title={title} wide={wide} onClose={action.onClose}>
      <Stack component="form" gap={16} onSubmit={submit}>
        {children}
        <Action {...action} />
      </Stack>
    </Dialog>
  );
}

function Action({
  action,
  keep,
  danger,
  pending,
  disabled,
  error,
  onConfirm,
  onClose,
}: Omit<ActionProps, 'change'> & { onConfirm?(): void }) {
  const { cancel } = useTexts();
  return (
    <>
      {error && <Problem error={error} />}
      <Group component="footer" justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {keep ?? cancel}
        </Button>
        <Button
          type={onConfirm ? 'button' : 'submit'}
          color={danger ? 'danger' : undefined}
          loading={pending}
          disabled={disabled}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </Group>
    </>
  );
}
