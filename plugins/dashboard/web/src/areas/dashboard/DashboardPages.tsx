import '../../styles/dashboard.css'
import { useNavigate } from '@tanstack/react-router'
import { Activity, Gauge, House, KeyRound, ListOrdered, ShieldCheck, Wallet, Webhook } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import type { Session } from '../../api/sessionQuery.js'
import { Skeleton } from '../../components/feedback/States.js'
import type { AreaPage } from '../../shell/area.js'
import { extensionPages } from '../../shell/extensions/ExtensionPage.js'
import { hrefOf } from '../../shell/hrefOf.js'
import { SignedInArea } from '../../shell/session/SignedInArea.js'
import { dashboardTexts } from '../../texts/dashboardTexts.js'
import { OverviewPage } from './overview/OverviewPage.js'
import { RequestsPage } from './requests/RequestsPage.js'

const words = dashboardTexts
const { groups } = words

type Page = AreaPage['component']

/** A page whose script is loaded when somebody goes there. */
const later = (load: () => Promise<ComponentType<{ readonly id: string | null }>>): Page => {
  const Later = lazy(async () => ({ default: await load() }))
  return ({ id }) => (
    <Suspense fallback={<Skeleton lines={10} />}>
      <Later id={id} />
    </Suspense>
  )
}

const KeysPage = later(async () => (await import('./keys/KeysPage.js')).KeysPage)
const WebhooksPage = later(async () => (await import('./webhooks/WebhooksPage.js')).WebhooksPage)
const UsagePage = later(async () => (await import('./usage/UsagePage.js')).UsagePage)
const BalancePage = later(async () => (await import('./balance/BalancePage.js')).BalancePage)
const AccessPage = later(async () => (await import('./access/AccessPage.js')).AccessPage)
const LimitsPage = later(async () => (await import('./limits/LimitsPage.js')).LimitsPage)

const PAGES: readonly AreaPage[] = [
  { path: '', title: words.overview.title, icon: House, key: 'h', component: OverviewPage },
  { path: 'requests', title: words.requests.title, icon: ListOrdered, key: 'r', component: RequestsPage },
  { path: 'keys', title: words.keys.title, icon: KeyRound, key: 'k', group: groups.setup, component: KeysPage },
  {
    path: 'webhooks',
    title: words.webhooks.title,
    icon: Webhook,
    key: 'w',
    group: groups.setup,
    component: WebhooksPage,
  },
  {
    path: 'access',
    title: words.access.title,
    icon: ShieldCheck,
    key: 'a',
    group: groups.setup,
    component: AccessPage,
  },
  { path: 'balance', title: words.balance.title, icon: Wallet, key: 'b', group: groups.money, component: BalancePage },
  { path: 'usage', title: words.usage.title, icon: Activity, key: 'u', group: groups.money, component: UsagePage },
  { path: 'limits', title: words.limits.title, icon: Gauge, key: 'l', group: groups.money, component: LimitsPage },
  ...extensionPages(),
]

/** Ids and hashes name one request; anything else is looked for among all. */
const isOneRequest = (text: string): boolean =>
  /^(0x)?[0-9a-f]{64}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{80,90}$/.test(text)

/** The integrators' dashboard. */
export const DashboardPages = ({ session }: { readonly session: Session }) => {
  const navigate = useNavigate()
  const find = (text: string) =>
    void navigate({
      to: isOneRequest(text) ? hrefOf(`requests/${text}`) : hrefOf('requests'),
      search: () => (isOneRequest(text) ? {} : { term: text }),
    })
  return <SignedInArea session={session} pages={PAGES} find={find} />
}
