import { AppError } from '../errors.ts'

const CHARACTERS = 500

/** The message of a deploy on one line, without blanks around it. @throws AppError `invalid_parameter` */
export function deployMessage(text: string): string {
  const message = text.replace(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(message) || !message.isWellFormed())
    throw new AppError(
      'invalid_parameter',
      'the message has a control character or a lone surrogate; leave it out',
    )
  if (message.length <= CHARACTERS) return message
  throw new AppError('invalid_parameter', `the message may have at most ${CHARACTERS} characters; shorten it`)
}
