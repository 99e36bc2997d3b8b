import '../../styles/track.css'
import { queryClient } from '../../api/queryClient.js'
import { boot } from '../../boot.js'
import { OpenShell } from '../../shell/OpenShell.js'
import { texts } from '../../texts/texts.js'
import { LookupPage } from './lookup/LookupPage.js'
import { TransferPage } from './transfer/TransferPage.js'
import { transferQuery } from './transfer/transfer.js'

const PATIENCE_MS = 300

const links = () => [
  { href: '/dashboard', text: texts.areas.dashboard },
  ...(boot.sandbox ? [{ href: '/try', text: texts.areas.try }] : []),
]

/**
 * Until the first answer is there, or is long in coming: what is drawn at once with it is not drawn twice. A page that was sent drawn
 * has it.
 */
export const firstAnswer = async (id: string): Promise<void> => {
  if (id === '') return
  const query = transferQuery(id)
  if (boot.drawn !== null) queryClient.setQueryData<unknown>(query.queryKey, boot.drawn.transfer)
  else
    await Promise.race([queryClient.prefetchQuery(query), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

/** Where a transfer is, or which one it is. Each is a page of its own, so that it needs nothing that leads from one to another. */
export const TrackArea = ({ id }: { readonly id: string }) => (
  <OpenShell home="/track" links={links()}>
    <div className="narrow stack">{id === '' ? <LookupPage /> : <TransferPage id={id} />}</div>
  </OpenShell>
)
