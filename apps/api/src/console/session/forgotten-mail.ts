import { RESET_MINUTES } from '#domain/staff';
import type { Mail } from './mailer';

interface Link {
  to: string;
  slug: string;
  link: string;
}

const MAILS = {
  en: ({ to, slug, link }: Link): Mail => ({
    to,
    subject: `Your sign-in link for ${slug}`,
    text: `With this link you sign in to ${slug} and set a new password. It works once, for ${RESET_MINUTES} minutes:

${link}

If you did not ask for it, ignore this message: your password stays as it is.
`,
  }),
  de: ({ to, slug, link }: Link): Mail => ({
    to,
    subject: `Ihr Anmeldelink für ${slug}`,
    text: `Mit diesem Link melden Sie sich bei ${slug} an und setzen ein neues Passwort. Er gilt einmal, ${RESET_MINUTES} Minuten lang:

${link}

Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.
`,
  }),
};

/** The mail to a member who forgot the password. */
export const forgottenMail = (language: keyof typeof MAILS, of: Link): Mail => MAILS[language](of);
