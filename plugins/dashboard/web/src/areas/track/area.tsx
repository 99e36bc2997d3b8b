import { OpenShell } from '../../shell/OpenShell.js'
import { PageHead } from '../../shell/PageHead.js'
import { texts } from '../../texts/texts.js'

export const Area = () => (
  <OpenShell home="/track">
    <PageHead title={texts.track.title} />
  </OpenShell>
)
