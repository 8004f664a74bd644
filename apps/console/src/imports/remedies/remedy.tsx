import { Stack } from '@mantine/core';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { ChooseInstead } from './choose-instead';
import { CreateMissing } from './create-missing';
import { FreeBibs } from './free-bibs';
import { RaiseCapacity } from './raise-capacity';
import { RaiseLimit } from './raise-limit';
import type { RemedyProps } from './remedy-props';

/** What can be done about the rows with a code: in words, and with the operations that other pages use. */
export function Remedy({ code, ...props }: RemedyProps & { code: string }) {
  const { remedies } = useTexts();
  const { may } = useSession();
  return (
    <Stack component="section" gap={12} aria-live="polite">
      <p>{remedies[code]}</p>
      {may('OWNER', 'MANAGER') && (
        <>
          {code === 'NO_CAPACITY_REMAINING' && <RaiseCapacity {...props} />}
          {code === 'DISCOUNT_LIMIT_REACHED' && <RaiseLimit {...props} />}
          {code === 'BIB_NUMBER_TAKEN' && <FreeBibs {...props} />}
          <ChooseInstead {...props} />
          {code === 'WAVE_NOT_FOUND' && <CreateMissing what="waves" {...props} />}
          {code === 'TICKET_NOT_FOUND' && <CreateMissing what="tickets" {...props} />}
        </>
      )}
    </Stack>
  );
}
