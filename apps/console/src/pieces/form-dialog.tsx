import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTexts } from '../texts';
import { Dialog } from './confirm';
import { Problem } from './problem';

interface FormDialogProps {
  title: string;
  action: string;
  children: ReactNode;
  pending: boolean;
  disabled?: boolean;
  danger?: boolean;
  wide?: boolean;
  /** What no field shows. */
  error: Error | null;
  onSubmit(): void;
  onClose(): void;
}

/** A dialog with a form: Enter sends it. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, children, pending, disabled, danger, wide, error, onSubmit, onClose } = props;
  const { cancel } = useTexts();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) onSubmit();
  };
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <form className="dialog" onSubmit={submit}>
        {children}
        {error && <Problem error={error} />}
        <footer className="dialog-footer">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            className={danger ? 'danger' : undefined}
            loading={pending}
            disabled={disabled}
          >
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
