import { useSession } from '../../../api/useSession.js'
import { TabPages } from '../../../components/controls/TabPages.js'
import { useAddress } from '../../../shell/address.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { Audit } from './Audit.js'
import { Integrators } from './Integrators.js'
import { Sessions } from './Sessions.js'
import { Wallets } from './Wallets.js'

const words = dashboardTexts.access
const TABS = ['sessions', 'integrators', 'wallets', 'audit'] as const

/** `/dashboard/access`: sessions, and for operators who may sign in. */
export const AccessPage = () => {
  const isOperator = useSession().data?.role === 'operator'
  const { values, change } = useAddress()
  const tab = TABS.find((each) => each === values.view) ?? 'sessions'
  const content = {
    sessions: <Sessions />,
    integrators: <Integrators />,
    wallets: <Wallets />,
    audit: <Audit />,
  }
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {isOperator ? (
        <TabPages
          label={words.tabsLabel}
          value={tab}
          onChange={(view) => change({ view: view === 'sessions' ? null : view })}
          pages={TABS.map((id) => ({ id, title: words.tabs[id], content: content[id] }))}
        />
      ) : (
        <Sessions />
      )}
    </>
  )
}
