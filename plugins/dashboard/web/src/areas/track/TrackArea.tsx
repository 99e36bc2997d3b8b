import '../../styles/track.css'
import { queryClient } from '../../api/queryClient.js'
import { boot } from '../../boot.js'
import { OpenShell } from '../../shell/OpenShell.js'
import { texts } from '../../texts/texts.js'
import { LookupPage } from './lookup/LookupPage.js'
import { TransferPage } from './transfer/TransferPage.js'
import { transferQuery } from './transfer/transfer.js'

const PATIENCE_MS = 300

const LINKS = [
  { href: '/dashboard', text: texts.areas.dashboard },
  ...(boot.sandbox ? [{ href: '/try', text: texts.areas.try }] : []),
]

/** The transfer that the address of the page names; empty where it names none, or no text that anybody encoded. */
const named = (): string => {
  const part = /^\/track\/([^/]+)/.exec(location.pathname)?.[1] ?? ''
  try {
    return decodeURIComponent(part).trim()
  } catch {
    return ''
  }
}
const id = named()

/** Until the first answer is there, or is long in coming: what is drawn at once with it is not drawn twice. */
export const firstAnswer = async (): Promise<void> => {
  if (id === '') return
  await Promise.race([
    queryClient.prefetchQuery(transferQuery(id)),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
}

/** Where a transfer is, or which one it is. Each is a page of its own, so that it needs nothing that leads from one to another. */
export const TrackArea = () => (
  <OpenShell home="/track" links={LINKS}>
    <div className="narrow stack">{id === '' ? <LookupPage /> : <TransferPage id={id} />}</div>
  </OpenShell>
)
