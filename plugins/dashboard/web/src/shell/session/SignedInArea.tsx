import { useParams } from '@tanstack/react-router'
import type { Session } from '../../api/sessionQuery.js'
import { AppShell } from '../AppShell.js'
import type { AreaCommand, AreaPage } from '../area.js'
import { NotFound } from '../NotFound.js'

export interface SignedInAreaProps {
  readonly session: Session
  readonly pages: readonly AreaPage[]
  readonly commands?: readonly AreaCommand[]
  find(text: string): void
}

/** What is behind a sign-in: the page that the address names. */
export const SignedInArea = ({ session, pages, commands, find }: SignedInAreaProps) => {
  const { page = '', id }: { page?: string; id?: string } = useParams({ strict: false })
  const found = pages.find(({ path }) => path === `${page}/${id ?? ''}`) ?? pages.find(({ path }) => path === page)
  if (found === undefined) return <NotFound />
  const Page = found.component
  return (
    <AppShell session={session} pages={pages} {...(commands ? { commands } : {})} current={found.path} find={find}>
      <Page key={`${page}/${id ?? ''}`} id={id ?? null} />
    </AppShell>
  )
}
