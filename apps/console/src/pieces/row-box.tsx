interface RowBoxProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onToggle(): void;
}

/** Selects a row of a list. A plain checkbox: a click on all fifty changes each of them before it is answered. */
export const RowBox = ({ label, checked, disabled, onToggle }: RowBoxProps) => (
  <input
    type="checkbox"
    className="row-box"
    aria-label={label}
    checked={checked}
    disabled={disabled}
    onChange={onToggle}
  />
);
