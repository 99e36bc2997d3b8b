import { useNavigate } from '@tanstack/react-router'
import {
  Activity,
  BookCheck,
  Boxes,
  CircleParking,
  FileSearch,
  HeartPulse,
  Inbox,
  Link2,
  ListTree,
  Route,
  ScrollText,
  Send,
  Wallet,
} from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import type { Session } from '../../api/sessionQuery.js'
import { Skeleton } from '../../components/feedback/States.js'
import type { AreaPage } from '../../shell/area.js'
import { extensionPages } from '../../shell/extensions/ExtensionPage.js'
import { SignedInArea } from '../../shell/session/SignedInArea.js'
import { consoleTexts } from '../../texts/consoleTexts.js'
import { CommandSaid } from './parts/CommandSaid.js'
import { explainHref } from './parts/hrefs.js'
import '../../styles/console.css'

type Page = ComponentType<{ readonly id: string | null }>

/** A page whose script is loaded when it is first gone to. */
const later = (load: () => Promise<Page>): Page => {
  const Loaded = lazy(async () => ({ default: await load() }))
  return ({ id }) => (
    <Suspense fallback={<Skeleton lines={6} />}>
      <Loaded id={id} />
    </Suspense>
  )
}

const words = consoleTexts
const { watch, money, service } = words.groups

const PAGES: readonly AreaPage[] = [
  {
    path: '',
    title: words.now.title,
    icon: Activity,
    key: 'n',
    group: watch,
    component: later(async () => (await import('./now/NowPage.js')).NowPage),
  },
  {
    path: 'explain',
    title: words.explain.title,
    icon: FileSearch,
    key: 'e',
    group: watch,
    component: later(async () => (await import('./explain/ExplainPage.js')).ExplainPage),
  },
  {
    path: 'chains',
    title: words.chains.title,
    icon: Link2,
    key: 'c',
    group: watch,
    component: later(async () => (await import('./chains/ChainsPage.js')).ChainsPage),
  },
  {
    path: 'health',
    title: words.health.title,
    icon: HeartPulse,
    key: 'h',
    group: watch,
    component: later(async () => (await import('./health/HealthPage.js')).HealthPage),
  },
  {
    path: 'inventory',
    title: words.inventory.title,
    icon: Boxes,
    key: 'i',
    group: money,
    component: later(async () => (await import('./inventory/InventoryPage.js')).InventoryPage),
  },
  {
    path: 'lanes',
    title: words.lanes.title,
    icon: Route,
    key: 'l',
    group: money,
    component: later(async () => (await import('./lanes/LanesPage.js')).LanesPage),
  },
  {
    path: 'parked',
    title: words.parked.title,
    icon: CircleParking,
    key: 'p',
    group: money,
    component: later(async () => (await import('./parked/ParkedPage.js')).ParkedPage),
  },
  {
    path: 'addresses',
    title: words.addresses.title,
    icon: Inbox,
    key: 'a',
    group: money,
    component: later(async () => (await import('./addresses/AddressesPage.js')).AddressesPage),
  },
  {
    path: 'balances',
    title: words.balances.title,
    icon: Wallet,
    key: 'm',
    group: money,
    component: later(async () => (await import('./balances/BalancesPage.js')).BalancesPage),
  },
  {
    path: 'books',
    title: words.books.title,
    icon: BookCheck,
    key: 'b',
    group: money,
    component: later(async () => (await import('./books/BooksPage.js')).BooksPage),
  },
  {
    path: 'push',
    title: words.push.title,
    icon: Send,
    key: 'w',
    group: service,
    component: later(async () => (await import('./push/PushPage.js')).PushPage),
  },
  {
    path: 'configuration',
    title: words.configuration.title,
    icon: ListTree,
    key: 'o',
    group: service,
    component: later(async () => (await import('./configuration/ConfigurationPage.js')).ConfigurationPage),
  },
  {
    path: 'audit',
    title: words.audit.title,
    icon: ScrollText,
    key: 'u',
    group: service,
    component: later(async () => (await import('./audit/AuditPage.js')).AuditPage),
  },
  ...extensionPages(),
]

/** The console: every read and every action of it is a command of the command line. */
export const ConsolePages = ({ session }: { readonly session: Session }) => {
  const navigate = useNavigate()
  return (
    <>
      <SignedInArea session={session} pages={PAGES} find={(text) => void navigate({ to: explainHref(text) })} />
      <CommandSaid />
    </>
  )
}
