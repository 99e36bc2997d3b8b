import '../../styles/track.css'
import '../../styles/try.css'
import { OpenShell } from '../../shell/OpenShell.js'
import { texts } from '../../texts/texts.js'
import { TryPage } from './TryPage.js'

const LINKS = [
  { href: '/track', text: texts.track.title },
  { href: '/dashboard', text: texts.dashboard.title },
  { href: '/console', text: texts.console.title },
]

export const Area = () => (
  <OpenShell home="/try" links={LINKS}>
    <div className="try stack">
      <TryPage />
    </div>
  </OpenShell>
)
