import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../../components/controls/Button.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Loaded } from '../../../components/feedback/States.js'
import { Badge, type Tone } from '../../../components/values/Badge.js'
import { AppLink } from '../../../shell/AppLink.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { checkCommand } from '../commands.js'
import { Card } from '../parts/Card.js'

const words = consoleTexts.health

/** One finding of `causeway doctor --json`. */
interface Finding {
  readonly check: string
  readonly subject: string
  readonly state: 'ok' | 'warning' | 'fault' | 'unchecked'
  readonly message: string
  readonly remedy?: string
}

const ORDER = ['fault', 'warning', 'unchecked'] as const
const TONES: Readonly<Record<Finding['state'], Tone>> = { fault: 'bad', warning: 'warn', unchecked: 'busy', ok: 'good' }

/** The page of the console that acts on what a check found, where there is one. */
const PAGES: Readonly<Record<string, string>> = {
  lane: '/console/lanes',
  halt: '/console/chains',
  hosts: '/console/chains',
  watcher: '/console/chains',
  providers: '/console/chains',
  rpc: '/console/chains',
  'rpc head': '/console/chains',
  'rpc chain id': '/console/chains',
  wallet: '/console/inventory',
  'wallet and books': '/console/inventory',
  'parked deposits': '/console/parked',
  'next actions': '/console',
  troubles: '/console',
  configuration: '/console/configuration',
  secret: '/console/configuration',
}

const One = ({ finding: { check, subject, message, remedy, state } }: { readonly finding: Finding }) => (
  <li className="finding">
    <Badge tone={TONES[state]}>{words.states[state]}</Badge>
    <div className="tight">
      <div className="wrap">
        <strong>{check}</strong> <span className="soft">{subject}</span>
      </div>
      <div className="wrap">{message}</div>
      {remedy !== undefined && (
        <div className="wrap remedy">
          <span className="small faint">{words.remedy}</span>
          <div>{remedy}</div>
        </div>
      )}
      {state !== 'ok' && PAGES[check] !== undefined && <AppLink to={PAGES[check]}>{words.act(check)}</AppLink>}
    </div>
  </li>
)

const Group = ({ state, findings }: { readonly state: Finding['state']; readonly findings: readonly Finding[] }) =>
  findings.length === 0 ? null : (
    <Card
      title={words.groups[state] ?? state}
      aside={<Badge tone={TONES[state]}>{words.count(findings.length)}</Badge>}
    >
      <ul className="findings">
        {findings.map((finding) => (
          <One key={`${finding.check} ${finding.subject} ${finding.message}`} finding={finding} />
        ))}
      </ul>
    </Card>
  )

const Summary = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  if (faults + warnings === 0) return <Notice tone="good">{words.well}</Notice>
  return <Notice tone={faults > 0 ? 'bad' : 'warn'}>{words.wrong(faults, warnings)}</Notice>
}

/** What is well needs no more than a line each, and those only for who asks. */
const Well = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <Card title={words.groups.ok ?? ''} aside={<Badge tone="good">{words.count(findings.length)}</Badge>}>
    <details>
      <summary>{words.showWell}</summary>
      <ul className="brief">
        {findings.map(({ check, subject, message }) => (
          <li key={`${check} ${subject} ${message}`}>
            <span className="wrap">
              <strong>{check}</strong> <span className="soft">{subject}</span>
            </span>
            <span className="wrap">{message}</span>
          </li>
        ))}
      </ul>
    </details>
  </Card>
)

/** What the doctor finds; worst first. */
export const HealthPage = () => {
  const query = useQuery(checkCommand<{ readonly findings: readonly Finding[] }>({ name: 'doctor' }))
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button onClick={() => void query.refetch()} disabled={query.isFetching}>
          <RefreshCw aria-hidden />
          {query.isFetching ? words.running : words.run}
        </Button>
      </PageHead>
      <Loaded query={query} lines={10}>
        {({ findings }) => (
          <>
            <Summary findings={findings} />
            {ORDER.map((state) => (
              <Group key={state} state={state} findings={findings.filter((finding) => finding.state === state)} />
            ))}
            <Well findings={findings.filter(({ state }) => state === 'ok')} />
          </>
        )}
      </Loaded>
    </>
  )
}
