import { AppError } from '../errors.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { AccountsContext } from './context.ts'

/** @throws AppError `mail_off` */
export function requireMail({ mail }: Pick<AccountsContext, 'mail'>): MailService {
  if (mail !== undefined) return mail
  throw new AppError(
    'mail_off',
    'this server sends no mail; its operator sets SHEAF_SMTP_URL and --mail-from',
  )
}
