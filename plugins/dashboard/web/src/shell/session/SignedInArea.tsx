import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useSession } from '../../api/session.js'
import { FailedState, Skeleton } from '../../components/feedback/States.js'
import { AppShell } from '../AppShell.js'
import type { AreaCommand, AreaPage } from '../area.js'
import { NotFound } from '../NotFound.js'
import { SignInPage } from './SignIn.js'

export interface SignedInAreaProps {
  readonly pages: readonly AreaPage[]
  readonly commands?: readonly AreaCommand[]
  /** Operators alone; others are asked to sign in as one. */
  readonly operators?: boolean
  find(text: string): void
}

/** An area behind a sign-in: the page that the address names, or the form that opens a session. */
export const SignedInArea = ({ pages, commands, operators = false, find }: SignedInAreaProps) => {
  const { page = '', id }: { page?: string; id?: string } = useParams({ strict: false })
  const session = useSession()
  const wasSignedIn = useRef(false)
  if (session.data === undefined) {
    return session.error ? (
      <FailedState error={session.error} retry={() => void session.refetch()} />
    ) : (
      <Skeleton lines={8} />
    )
  }
  const mayEnter = session.data !== null && (!operators || session.data.role === 'operator')
  if (session.data === null || !mayEnter) return <SignInPage operator={operators} ended={wasSignedIn.current} />
  wasSignedIn.current = true
  const found = pages.find(({ path }) => path === `${page}/${id ?? ''}`) ?? pages.find(({ path }) => path === page)
  if (found === undefined) return <NotFound />
  const Page = found.component
  return (
    <AppShell session={session.data} pages={pages} {...(commands ? { commands } : {})} current={found.path} find={find}>
      <Page key={`${page}/${id ?? ''}`} id={id ?? null} />
    </AppShell>
  )
}
