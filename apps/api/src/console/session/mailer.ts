import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { SETTINGS, type Settings } from '#platform/config';
import { consoleErrors } from '../console.errors';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Of a mail server that does not answer. */
const PATIENCE_MS = 15_000;
const MOST_WAITING = 200;
const CONNECTIONS = 2;

/** Sends mails by the operator's mail server, if there is one (SMTP_URL). */
@Injectable()
export class Mailer implements BeforeApplicationShutdown {
  private readonly logger = new Logger('mail');
  private readonly transport: Transporter | undefined;
  private readonly waiting = new Set<Promise<void>>();

  constructor(@Inject(SETTINGS) { SMTP_URL, MAIL_FROM }: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>) {
    if (!SMTP_URL) return;
    const patience = {
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
    };
    const server = { url: SMTP_URL, pool: true, maxConnections: CONNECTIONS, ...patience } as const;
    this.transport = createTransport(server, { from: MAIL_FROM });
  }

  get isSet(): boolean {
    return this.transport !== undefined;
  }

  /**
   * Makes and sends a mail after the response, so that neither it nor its time tells whether there was one to send.
   *
   * @throws ApiError 403 without a mail server, 503 if too many mails are waiting
   */
  sendLater(make: () => Promise<Mail | undefined>): void {
    if (!this.transport) throw consoleErrors.noMail();
    if (this.waiting.size >= MOST_WAITING) throw consoleErrors.mailIsBusy();
    const sending = this.send(this.transport, make).finally(() => this.waiting.delete(sending));
    this.waiting.add(sending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.waiting);
    this.transport?.close();
  }

  private async send(transport: Transporter, make: () => Promise<Mail | undefined>): Promise<void> {
    try {
      const mail = await make();
      // An object, because a text can name several addresses.
      if (mail) await transport.sendMail({ ...mail, to: { name: '', address: mail.to } });
    } catch (error) {
      // Without the address, which is personal.
      const { code, command } = error as { code?: string; command?: string };
      this.logger.error({ msg: 'a mail was not sent', code, command });
    }
  }
}
