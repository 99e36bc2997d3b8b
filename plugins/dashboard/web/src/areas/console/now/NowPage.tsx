import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../../components/feedback/Notice.js'
import { Loaded } from '../../../components/feedback/States.js'
import { usdText } from '../../../components/values/amountText.js'
import { AppLink } from '../../../shell/AppLink.js'
import { ExtensionPanels } from '../../../shell/extensions/ExtensionPanels.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { readCommand } from '../commands.js'
import { Stat } from '../parts/Card.js'
import { Minutes } from './Minutes.js'
import type { NowReport } from './nowReport.js'
import { Obstacles } from './Obstacles.js'
import { StuckList } from './StuckList.js'

interface ParkedCount {
  readonly deposits: readonly unknown[]
  readonly more: boolean
}

const words = consoleTexts.now

const perMinute = ({ hour, minutes }: NowReport): string => {
  const tenths = Math.round((hour.begun * 10) / Math.max(1, minutes.length))
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}

const Stats = ({ report }: { readonly report: NowReport }) => {
  const { hour, open } = report
  const ended = hour.succeeded + hour.refunded + hour.failed
  const { fillMs } = hour
  return (
    <dl className="grid stats">
      <Stat name={words.transfers} value={perMinute(report)} more={words.transfersMore(hour.begun)} />
      <Stat name={words.value} value={usdText(hour.usd)} more={words.valueMore} />
      <Stat
        name={words.success}
        value={hour.successBps === null ? texts.data.none : words.percent(hour.successBps)}
        more={hour.successBps === null ? words.nothingEnded : words.successMore(hour.succeeded, ended)}
      />
      <Stat
        name={words.median}
        value={fillMs === null ? texts.data.none : words.milliseconds(fillMs.p50)}
        more={fillMs === null ? words.noFills : words.medianMore(fillMs.count)}
      />
      <Stat
        name={words.slowest}
        value={fillMs === null ? texts.data.none : words.milliseconds(fillMs.p99)}
        more={fillMs === null ? words.noFills : words.medianMore(fillMs.count)}
      />
      <Stat name={words.open} value={open.toLocaleString('en')} more={words.openMore} />
    </dl>
  )
}

/** Money that waits for an operator is nothing that is late, so nothing else here would tell of it. */
const Waiting = () => {
  const { data } = useQuery(readCommand<ParkedCount>({ name: 'parked list', options: { limit: '50' } }))
  if (data === undefined || data.deposits.length === 0) return null
  return (
    <Notice tone="warn">
      {words.waits(data.deposits.length, data.more)} <AppLink to="/console/parked">{words.seeParked}</AppLink>
    </Notice>
  )
}

/** What moves, and what does not. */
export const NowPage = () => {
  const query = useQuery(readCommand<NowReport>({ name: 'now' }))
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={query} lines={10}>
        {(report) => (
          <>
            <Obstacles report={report} />
            <Waiting />
            <Stats report={report} />
            <StuckList report={report} />
            <Minutes report={report} />
          </>
        )}
      </Loaded>
      <ExtensionPanels />
    </>
  )
}
