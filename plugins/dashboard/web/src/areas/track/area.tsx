import '../../styles/track.css'
import { useParams } from '@tanstack/react-router'
import { boot } from '../../boot.js'
import { OpenShell } from '../../shell/OpenShell.js'
import { texts } from '../../texts/texts.js'
import { LookupPage } from './lookup/LookupPage.js'
import { TransferPage } from './transfer/TransferPage.js'

const LINKS = [
  { href: '/dashboard', text: texts.dashboard.title },
  ...(boot.sandbox ? [{ href: '/try', text: texts.tryOut.title }] : []),
]

export const Area = () => {
  const { page = '' }: { page?: string } = useParams({ strict: false })
  const id = page.trim()
  return (
    <OpenShell home="/track" links={LINKS}>
      <div className="narrow stack">{id === '' ? <LookupPage /> : <TransferPage key={id} id={id} />}</div>
    </OpenShell>
  )
}
