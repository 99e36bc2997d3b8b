import '../../styles/track.css'
import { useParams } from '@tanstack/react-router'
import { queryClient } from '../../api/queryClient.js'
import { boot } from '../../boot.js'
import { OpenShell } from '../../shell/OpenShell.js'
import { texts } from '../../texts/texts.js'
import { LookupPage } from './lookup/LookupPage.js'
import { TransferPage } from './transfer/TransferPage.js'
import { transferQuery } from './transfer/transfer.js'

const LINKS = [
  { href: '/dashboard', text: texts.dashboard.title },
  ...(boot.sandbox ? [{ href: '/try', text: texts.tryOut.title }] : []),
]

/** Asks for the transfer that the address names before anything is drawn. */
const askEarly = (): void => {
  const named = /^\/track\/([^/]+)/.exec(location.pathname)?.[1]
  if (named === undefined) return
  try {
    void queryClient.prefetchQuery(transferQuery(decodeURIComponent(named).trim()))
  } catch {
    // No text that anybody encoded; the page says that it knows of no such transfer.
  }
}
askEarly()

export const Area = () => {
  const { page = '' }: { page?: string } = useParams({ strict: false })
  const id = page.trim()
  return (
    <OpenShell home="/track" links={LINKS}>
      <div className="narrow stack">{id === '' ? <LookupPage /> : <TransferPage key={id} id={id} />}</div>
    </OpenShell>
  )
}
