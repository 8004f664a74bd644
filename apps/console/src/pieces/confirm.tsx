import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';
import { Problem } from './problem';

interface ConfirmProps {
  title: string;
  /** What the action changes, and what it keeps. */
  children: ReactNode;
  action: string;
  keep?: string;
  danger?: boolean;
  wide?: boolean;
  pending?: boolean;
  disabled?: boolean;
  error?: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before an irreversible action. Render it only while it is open. */
export function Confirm({
  title,
  children,
  action,
  keep,
  danger,
  wide,
  pending,
  disabled,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const { cancel } = useTexts();
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      {children}
      {error && <Problem error={error} />}
      <footer className="dialog-footer">
        <Button variant="default" onClick={onClose}>
          {keep ?? cancel}
        </Button>
        <Button
          className={danger ? 'danger' : undefined}
          loading={pending}
          disabled={disabled}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}

export function Dialog({
  title,
  wide,
  children,
  onClose,
}: {
  title: string;
  wide?: boolean;
  children: ReactNode;
  onClose(): void;
}) {
  const { close } = useTexts();
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
      transitionProps={{ duration: 0 }}
    >
      <div className="dialog">{children}</div>
    </Modal>
  );
}
