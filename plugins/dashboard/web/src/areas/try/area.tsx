import '../../styles/track.css'
import '../../styles/try.css'
import { OpenShell } from '../../shell/OpenShell.js'
import { texts } from '../../texts/texts.js'
import { trackTexts } from '../../texts/trackTexts.js'
import { TryPage } from './TryPage.js'

const LINKS = [
  { href: '/track', text: trackTexts.title },
  { href: '/dashboard', text: texts.areas.dashboard },
  { href: '/console', text: texts.areas.console },
]

export const Area = () => (
  <OpenShell home="/try" links={LINKS}>
    <div className="try stack">
      <TryPage />
    </div>
  </OpenShell>
)
