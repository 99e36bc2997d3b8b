import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useRef, useState } from 'react'
import { type Session, sessionQuery } from '../../api/sessionQuery.js'
import { useSession } from '../../api/useSession.js'
import { FailedState, Skeleton } from '../../components/feedback/States.js'
import { SignInPage } from './SignIn.js'

export interface SignInGateProps {
  /** Operators alone; others are asked to sign in as one. */
  readonly operators?: boolean
  /** What is behind it. */
  load(): Promise<ComponentType<{ readonly session: Session }>>
}

/** The form that opens a session, and behind it an area: nobody loads the scripts of what they may not see. */
export const SignInGate = ({ operators = false, load }: SignInGateProps) => {
  const client = useQueryClient()
  const session = useSession()
  const wasSignedIn = useRef(false)
  const [Inside] = useState(() => lazy(async () => ({ default: await load() })))
  if (session.data === undefined) {
    return session.error ? (
      <FailedState error={session.error} retry={() => void session.refetch()} />
    ) : (
      <Skeleton lines={8} />
    )
  }
  const mayEnter = session.data !== null && (!operators || session.data.role === 'operator')
  const onDone = () => client.invalidateQueries(sessionQuery)
  if (session.data === null || !mayEnter)
    return <SignInPage operator={operators} ended={wasSignedIn.current} onDone={onDone} />
  wasSignedIn.current = true
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <Inside session={session.data} />
    </Suspense>
  )
}
