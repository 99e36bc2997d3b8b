import { Notice } from '../../../components/feedback/Notice.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card } from '../parts/Card.js'
import { Money } from '../parts/money/Money.js'
import { useChainName } from '../parts/useChains.js'
import type { LedgerFinding, LedgerReport } from './ledgerReport.js'

const words = consoleTexts.books

const Summary = ({ report: { ok, findings, at } }: { readonly report: LedgerReport }) => {
  const text = ok ? words.ok : findings.length > 0 ? words.wrong(findings.length) : words.uncheckedOnly
  return (
    <Notice tone={ok ? 'good' : findings.length > 0 ? 'bad' : 'warn'}>
      <div className="row between">
        <strong>{text}</strong>
        <span>
          {words.checkedAt} <Time at={at} />
        </span>
      </div>
    </Notice>
  )
}

const Finding = ({ finding: { check, rule, remedy, count, cases } }: { readonly finding: LedgerFinding }) => (
  <Card title={rule} aside={<Badge tone="bad">{words.cases(count)}</Badge>}>
    <code className="soft wrap">{check}</code>
    <ul className="findings">
      {cases.map(({ ids, says }) => (
        <li key={`${ids.join(' ')} ${says}`} className="tight">
          <span className="mono small wrap soft">{ids.join(', ')}</span>
          <span className="wrap">{says}</span>
        </li>
      ))}
    </ul>
    {count > cases.length && <p className="soft">{words.moreCases(count - cases.length)}</p>}
    <div className="remedy wrap">
      <span className="small faint">{words.remedy}</span>
      <div>{remedy}</div>
    </div>
  </Card>
)

/** What the check found, and what it could not look at. */
export const LedgerFindings = ({ report }: { readonly report: LedgerReport }) => {
  const chainName = useChainName()
  return (
    <>
      <Summary report={report} />
      {report.findings.map((finding) => (
        <Finding key={finding.check} finding={finding} />
      ))}
      {report.unchecked.length > 0 && (
        <Card title={words.unchecked}>
          <ul className="tight">
            {report.unchecked.map(({ chainId, why }) => (
              <li key={chainId} className="wrap">
                <strong>{chainName(chainId)}</strong> {why}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {report.explained.length > 0 && (
        <Card title={words.explained}>
          <ul className="tight">
            {report.explained.map(({ holder, onChain, difference, why }) => (
              <li key={`${holder} ${onChain.chainId} ${onChain.currency}`} className="row">
                <strong>{words.holders[holder] ?? holder}</strong>
                <span>{chainName(onChain.chainId)}</span>
                <Money money={{ ...onChain, amount: difference }} />
                <span className="soft wrap">{why}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
