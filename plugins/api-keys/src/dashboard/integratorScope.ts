import { HttpError } from '@causeway/core/plugin'
import type { Session } from './session/sessionStore.js'

type Asker = Pick<Session, 'operator' | 'integrator'>

/** The integrator that a call is about. Only operators may name another; one without an integrator has to. Throws HttpError. */
export const integratorFor = ({ operator, integrator }: Asker, named: string | undefined): string => {
  if (named !== undefined && (operator || named.toLowerCase() === integrator?.id)) return named.toLowerCase()
  if (named !== undefined) throw new HttpError(403, 'Only operators may name another integrator')
  if (integrator === null) {
    throw new HttpError(
      operator ? 400 : 403,
      operator ? 'Name the integrator in integratorId' : 'This wallet belongs to no integrator',
    )
  }
  return integrator.id
}

/** The same for lists: null is everybody, for an operator without an integrator who names none. */
export const scopeFor = (session: Asker, named: string | undefined): string | null =>
  session.operator && session.integrator === null && named === undefined ? null : integratorFor(session, named)
