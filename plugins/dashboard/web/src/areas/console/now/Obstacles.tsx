import { Notice } from '../../../components/feedback/Notice.js'
import { AppLink } from '../../../shell/AppLink.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { chainHref, laneHref } from '../parts/hrefs.js'
import type { NowReport, Obstacle } from './nowReport.js'

const words = consoleTexts.now

const hrefOf = ({ kind, chain, signer }: Obstacle): string => {
  if (kind === 'lane' && signer !== null) return laneHref(chain, signer)
  return kind === 'role' ? '/console/health' : chainHref(chain)
}

/** Problems that keep whole chains waiting, each with the page that acts. */
export const Obstacles = ({ report: { obstacles } }: { readonly report: NowReport }) =>
  obstacles.map((obstacle) => (
    <Notice key={`${obstacle.kind} ${obstacle.text}`} tone="bad">
      {obstacle.text} <AppLink to={hrefOf(obstacle)}>{words.act[obstacle.kind]}</AppLink>
    </Notice>
  ))
